// SPDX-License-Identifier: MIT
// The list of what is passed over, by the names that Unsupported gives.
#include "python_subset/not_had.h"

#include <set>
#include <sstream>

#include "python_subset/not_had_names.h"

namespace python_subset {
namespace {

// Of autograd: hooks, graphs of graphs, other modes; of files: PyTorch's own format, where this library has
// safetensors.
constexpr const char* autograd_and_files = R"(
    Tensor.retain_grad Tensor.register_hook Tensor.retains_grad Tensor.grad= Tensor.is_inference Tensor.output_nr
    torch.autograd.Function torch.autograd.Variable torch.autograd.grad_mode torch.autograd.functional
    torch.autograd.functional.jacobian torch.autograd.functional.hessian torch.autograd.functional.vjp
    torch.autograd.gradcheck torch.autograd.set_detect_anomaly torch.autograd.detect_anomaly
    torch.autograd.set_grad_enabled torch.autograd.no_grad torch.autograd.enable_grad torch.autograd.forward_ad
    torch.inference_mode torch.is_inference_mode_enabled torch.save torch.load io create_graph= inputs=
)";

// Layers, losses, initial values and utilities of torch.nn, and what modules do besides.
constexpr const char* layers = R"(
    AdaptiveAvgPool2d AvgPool2d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d Bilinear Conv1d Conv2d Conv3d
    ConvTranspose2d CosineEmbeddingLoss CosineSimilarity Dropout Dropout1d Dropout2d ELU Embedding EmbeddingBag
    Flatten1d Fold GELU GRU GRUCell GaussianNLLLoss GroupNorm HuberLoss Identity InstanceNorm1d InstanceNorm2d
    KLDivLoss L1Loss LSTM LSTMCell LayerNorm LazyBatchNorm1d LazyBatchNorm2d LazyConv1d LazyConv2d LeakyReLU
    LocalResponseNorm LogSigmoid LogSoftmax MarginRankingLoss MaxPool1d MaxPool2d Mish ModuleDict ModuleList
    MultiheadAttention NLLLoss PReLU ParameterDict ParameterList PoissonNLLLoss RNN RNNCell ReLU6 SELU SiLU
    Sigmoid SmoothL1Loss SoftMarginLoss Softmax Softmax2d Softmin Softplus Softsign Tanh Transformer
    TripletMarginLoss Unflatten Unfold Upsample UninitializedBuffer ZeroPad2d Hardtanh DataParallel
    parallel.DataParallel parameter.UninitializedBuffer Buffer
    init.xavier_uniform_ init.xavier_normal_ init.kaiming_normal_ init.orthogonal_ init.trunc_normal_ init.eye_
    init.dirac_ init.sparse_ init.calculate_gain
    utils.clip_grad_value_ utils.parameters_to_vector utils.vector_to_parameters utils.weight_norm
    utils.spectral_norm utils.rnn.pad_sequence utils.prune utils.clip_grad_norm
)";
constexpr const char* layer_functions = R"(
    adaptive_avg_pool2d avg_pool2d batch_norm binary_cross_entropy binary_cross_entropy_with_logits conv1d conv2d
    cosine_similarity dropout elu embedding gelu glu hardtanh huber_loss interpolate kl_div l1_loss layer_norm
    leaky_relu log_softmin logsigmoid max_pool1d max_pool2d mish nll_loss normalize one_hot pad
    pairwise_distance prelu relu6 relu_ selu silu smooth_l1_loss softmax softmin softplus softsign
    tanhshrink threshold unfold
)";
constexpr const char* of_modules = R"(
    Module.add_module Module.apply Module.bfloat16 Module.buffers Module.copy Module.dtype Module.device
    Module.extend Module.get_buffer Module.get_parameter Module.get_submodule Module.half Module.insert
    Module.ipu Module.load_state_dict= Module.named_buffers Module.pop Module.register_buffer
    Module.register_forward_hook Module.register_forward_pre_hook Module.register_full_backward_hook
    Module.register_module Module.register_parameter  Module.reset_parameters Module.share_memory
    Module.set_extra_state Module.to_empty Module.type Module.xpu Module.__len__ Module._get_name
    Module._parameters Module._modules Module._buffers Module.__dict__ Module.initialize_parameters
    Module.cls_to_become Module.weight= Module.bias= Module.training= Module.in_features= Module.out_features=
    Module.items Module.keys Module.values Module.T_destination
    Optimizer.state_dict Optimizer.load_state_dict Optimizer.state Optimizer.defaults Optimizer.param_groups=
    Optimizer.register_step_pre_hook Optimizer.register_step_post_hook 
    maximize= foreach= differentiable= weight= label_smoothing= size_average= reduce= closure= KeyError
)";
constexpr const char* optimizers = R"(
    ASGD Adadelta Adagrad Adam AdamW Adamax LBFGS NAdam Optimizer RAdam RMSprop Rprop SparseAdam
    lr_scheduler.StepLR lr_scheduler.ExponentialLR lr_scheduler.LambdaLR lr_scheduler.CosineAnnealingLR
    lr_scheduler.MultiStepLR lr_scheduler.ReduceLROnPlateau
)";

// What only a PyTorch with or without CUDA has to say; our own text is tested where devices are.
constexpr const char* cuda_module = R"(
    torch.cuda.get_device_name torch.cuda.synchronize torch.cuda.is_available torch.cuda.device_count
    torch.cuda.current_device torch.cuda.set_device torch.cuda.Event torch.cuda.Stream
    torch.cuda.memory_allocated torch.cuda.get_device_properties torch.cuda.device
)";

// Functions and dtypes of torch that no lesson of this chapter needs.
constexpr const char* functions = R"(
    FloatTensor LongTensor Size Tensor absolute addcdiv addcmul addmm addmv all amax amin aminmax any argmin
    argsort as_tensor asarray atan2 baddbmm bernoulli bfloat16 bincount bitwise_and bitwise_not bitwise_or
    bitwise_xor bmm broadcast_shapes broadcast_tensors broadcast_to can_cast cartesian_prod cdist ceil cfloat
    channels_last chunk clamp clip combinations complex complex128 complex64 contiguous_format cos cosh
    cosine_similarity count_nonzero cross cumprod cumsum det diag diagonal dist divide dstack einsum
    empty_strided erf expm1 eye flip float16 floor floor_divide fmod from_numpy frombuffer full_complex
    gather ger get_default_dtype greater half histc hstack hypot index_add index_select inf int16 int8 inverse
    is_tensor isclose isfinite isinf isnan kron kthvalue lerp less linalg.inv linalg.norm linalg.solve linspace
    log10 log1p log2 logical_and logical_not logical_or logical_xor logspace logsumexp masked_select
    maximum median meshgrid minimum mode moveaxis movedim multinomial multiply nan nan_to_num narrow negative
    nonzero normal not_equal numel_of numpy outer pi positive prod promote_types qint8 randint randperm ravel
    reciprocal remainder renorm repeat_interleave result_type roll round rsqrt scatter set_default_dtype short
    sign sin sinh softmax sort special.expit split square squeeze_ std std_mean strided subtract svd swapaxes
    swapdims take tan tensor_split tensordot tile topk trace tril triu true_divide trunc unbind unflatten unique
    var var_mean view_as_real vstack where
)";

// Methods and attributes of its tensors, likewise.
constexpr const char* methods = R"(
    H __add__ __bool__ __contains__ __getitem__ __iter__ __len__ __radd__ __repr__ __setitem__ addcdiv_ addcmul_
    addmm addmm_ all amax amin any apply_ argmin argsort bernoulli_ bfloat16 bitwise_not bmm
    broadcast_to byte ceil char chunk clamp clamp_ clip copy cos cross cumprod cumsum det diag diagonal dist
    divide element eq_ expand_as flip floor floor_ floor_divide fmod gather ger get_device
    gt_ half imag index_add_ index_copy_ index_fill_ index_select indices inverse is_complex is_floating_point
    is_meta is_pinned is_same_size is_set_to is_shared is_sparse isfinite isinf isnan itemsize layout lerp
    logical_not logsumexp lt_ mH mT map_ masked_fill masked_fill_ masked_select matrix_power maximum
    median minimum mode movedim multiply names narrow nbytes ndimension nelement new_empty new_full new_ones
    new_tensor new_zeros nonzero normal_ numpy outer pin_memory prod put_ random_ real reciprocal remainder
    repeat reshape_as resize_ resize_as_ roll round round_ rsqrt scatter_ set_ share_memory_ short sign sin
    slice softmax sort split square square_ squeeze_ std storage stride_of subtract sum_to_size swapaxes t_ take
    tile to_dense to_sparse tolist topk trace transpose_ tril triu true_divide trunc type type_as unbind
    unflatten unfold uniform_ unsqueeze_ untyped_storage values var view_as where
)";

// Operators, written "operator //".
constexpr const char* operators = "// % & | ^ ~ << >> //= %= &= |= ^= @=";

// Python's own: its syntax, its builtins, and keyword arguments.
constexpr const char* python = R"(
    with try while def class import from raise return global del lambda comprehension unpacking iteration
    is range next isinstance hasattr id hash print abs round map filter reversed set complex math np sys gc pickle
    warnings weakref functools itertools copy torch.tensor(tensor) out= memory_format= generator= layout=
    names= rounding_mode= copy= dict.setdefault dict.clear dict.popitem dict.move_to_end assignment
    axis= dims= input= other= tensors= out_features= dim0= dim1= sizes= non_blocking= eps= p= prefix=
    keep_vars= destination= assign= start_dim= end_dim= is_grads_batched= only_inputs= KeyError
)";

// What the C++ compiler checks, or what has no form in C++.
const std::set<std::string> phrases{"argument type",
                                    "int() of what is no 64-bit integer",
                                    "integer beyond 64 bits",
                                    "number syntax",
                                    "string prefix",
                                    "string syntax",
                                    "an index for more dimensions than there are",
                                    "an index that is no integer",
                                    "sequence index",
                                    "norm of this kind",
                                    "view as a dtype",
                                    "dtype= of a reduction",
                                    "maximum of two tensors",
                                    "a literal this long",
                                    "repr of a slice",
                                    "indexing of what is no tensor",
                                    "call of a value",
                                    "attribute items",
                                    "attribute numel",
                                    "dot of what is no vector",
                                    "mv of other dimensions",
                                    "cross_entropy with probabilities",
                                    "part of a module",
                                    "repr of a scope",
                                    "repr of an address",
                                    "attribute next_functions",
                                    "attribute metadata",
                                    "attribute append",
                                    "attribute index",
                                    "attribute count",
                                    "attribute __name__",
                                    "attribute __dict__"};

std::set<std::string> words(const char* text, const std::string& prefix = "") {
  std::set<std::string> result;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) result.insert(prefix + word);
  return result;
}

std::set<std::string> all_names() {
  auto names = phrases;
  for (auto part :
       {words(autograd_and_files), words(layers, "torch.nn."), words(layer_functions, "torch.nn.functional."),
        words(of_modules), words(optimizers, "torch.optim."), words(cuda_module), words(functions, "torch."),
        words(methods, "Tensor."), words(operators, "operator "), words(python),
        words(not_had::more_methods, "Tensor."), words(not_had::more_functions, "torch."),
        words(not_had::more_layers, "torch.nn."), words(not_had::more_layer_functions, "torch.nn.functional.")}) {
    names.merge(part);
  }
  return names;
}

}  // namespace

bool is_listed_as_not_had(const std::string& name) {
  static const std::set<std::string> names = all_names();
  return names.count(name) > 0;
}

}  // namespace python_subset
