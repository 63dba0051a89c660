# SPDX-License-Identifier: MIT
"""The module torch of the reference cases: this library (_d2l) under PyTorch's names."""
import sys
import types

import _d2l
from torch_modules import Parameter, UninitializedParameter, clip_grad_norm_, type_of
from torch_optim import OPTIMIZERS
from torch_tensors import NotSupported, Size, as_list, autocast, enable_grad, factory, no_grad, set_grad_enabled, sized


class Names(types.ModuleType):
    """A module whose missing names are NotSupported."""

    def __init__(self, name, **names):
        super().__init__(name)
        self.__dict__.update(names)
        sys.modules[name] = self

    def __getattr__(self, name):
        raise NotSupported(f"{self.__name__}.{name}")


def select(*names):
    """These names of _d2l."""
    return {name: getattr(_d2l, name) for name in names}


def function(method):
    """A method of Tensor as a function, whose first argument is called input."""
    return lambda input, *arguments, **keywords: getattr(_d2l.Tensor, method)(input, *arguments, **keywords)


def autograd_grad(outputs, inputs, grad_outputs=None, retain_graph=None, allow_unused=False):
    return tuple(_d2l.grad(as_list(outputs), as_list(inputs), as_list(grad_outputs), retain_graph, allow_unused))


def autograd_backward(tensors, grad_tensors=None, retain_graph=None):
    _d2l.backward(as_list(tensors), as_list(grad_tensors), retain_graph)


FUNCTIONS = """add sub mul div pow eq ne lt le gt ge neg abs sqrt exp log relu sigmoid tanh sum mean max min argmax norm
    sin cos square floor ceil round sign reciprocal rsqrt erf log1p expm1 isnan isinf isfinite logical_not clamp clamp_min
    clamp_max floor_divide maximum minimum logical_and logical_or logical_xor masked_fill softmax
    matmul mm allclose equal reshape transpose t permute unsqueeze squeeze select clone numel log_softmax
    flatten unflatten movedim broadcast_to narrow split split_with_sizes chunk var std prod all any argmin logsumexp cumsum
    bmm mv dot outer sort argsort topk index_select gather masked_select flip roll repeat_interleave tril triu
    diag nonzero unbind swapaxes swapdims bernoulli multinomial index_put""".split()
CONVOLUTIONS = "Conv2d", "LazyConv2d"
LAYERS = "Module", "Linear", "LazyLinear", "Sequential", "ReLU", "Flatten", "MSELoss", "CrossEntropyLoss"
NORMALISATIONS = "BatchNorm1d", "BatchNorm2d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LayerNorm", "Embedding"
SIZED = "ones", "zeros", "empty", "rand", "randn"
parameters = {"Parameter": Parameter, "UninitializedParameter": UninitializedParameter}


def remainder(input, other):
    return _d2l.remainder(input, other) if not isinstance(input, _d2l.Tensor) else input.remainder(other)


def einsum(equation, *operands):
    listed = len(operands) == 1 and not isinstance(operands[0], _d2l.Tensor)
    return _d2l.einsum(equation, list(operands[0] if listed else operands))


def normal(mean, std=1.0, size=None, **options):
    return _d2l.normal(mean, std) if size is None else factory("normal_numbers")(mean, std, size, **options)


SEQUENCES = """RNN GRU LSTM RNNCell GRUCell LSTMCell MultiheadAttention TransformerEncoderLayer TransformerDecoderLayer
    TransformerEncoder TransformerDecoder PReLU RMSNorm GELU""".split()
POOLINGS = "max_pool2d", "avg_pool2d", "adaptive_avg_pool2d"
POOLING_LAYERS = "MaxPool2d", "AvgPool2d", "AdaptiveAvgPool2d"
ACTIVATIONS = "gelu", "silu", "softplus", "leaky_relu", "elu"
LOSSES = """cross_entropy l1_loss smooth_l1_loss huber_loss nll_loss binary_cross_entropy_with_logits
    scaled_dot_product_attention prelu rms_norm interpolate unfold""".split()
functional = Names("torch.nn.functional", **select(*LOSSES),
                   **select("linear", "mse_loss", "one_hot", "conv2d", "batch_norm", "layer_norm", "embedding",
                            *ACTIVATIONS, *POOLINGS),
                   **{name: function(name) for name in ("relu", "sigmoid", "tanh", "softmax", "log_softmax")})
nn = Names("torch.nn", **select(*LAYERS, *SEQUENCES, *CONVOLUTIONS, *POOLING_LAYERS, *NORMALISATIONS), **parameters,
           functional=functional,
           parameter=Names("torch.nn.parameter", **parameters),
           utils=Names("torch.nn.utils", clip_grad_norm_=clip_grad_norm_),
           init=Names("torch.nn.init",
                      **select("zeros_", "ones_", "constant_", "uniform_", "normal_", "kaiming_uniform_")))
optim = Names("torch.optim", **OPTIMIZERS,
              lr_scheduler=Names("torch.optim.lr_scheduler", **select("StepLR", "CosineAnnealingLR")))
autograd = Names("torch.autograd", grad=autograd_grad, backward=autograd_backward)
torch = Names("torch", nn=nn, optim=optim, autograd=autograd, cuda=Names("torch.cuda"), Size=Size, no_grad=no_grad,
              autocast=autocast, enable_grad=enable_grad, set_grad_enabled=set_grad_enabled, concat=_d2l.cat, NotSupported=NotSupported,
              type_of=type_of, int=_d2l.int32, long=_d2l.int64, half=_d2l.float16, float=_d2l.float32, double=_d2l.float64,
              **select("bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64", "Tensor", "dtype", "device"),
              remainder=remainder, einsum=einsum, normal=normal, prelu=_d2l.prelu, rms_norm=_d2l.rms_norm,
              **select("where", "conv2d", "max_pool2d", "layer_norm"),
              batch_norm=_d2l.plain_batch_norm, embedding=_d2l.plain_embedding,
              **select("cat", "stack", "manual_seed", "is_grad_enabled"),
              **{name: function(name) for name in FUNCTIONS},
              **{name: sized(factory(name)) for name in SIZED},
              **{name: factory(name) for name in ("full", "tensor", "arange", "linspace", "eye", "randint", "randperm")},
              **{f"{name}_like": factory(f"{name}_like", _d2l.like_options) for name in (*SIZED, "full")})
