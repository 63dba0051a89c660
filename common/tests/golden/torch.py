# SPDX-License-Identifier: MIT
"""The module torch of the reference cases: this library (_d2l) under PyTorch's names."""
import collections
import contextlib
import math
import sys
import types

import _d2l
from _d2l import Module, Tensor


class NotSupported(AttributeError):
    """A case uses a name that this library lacks; not_supported.txt must list it."""


class Names(types.ModuleType):
    """A module whose missing names are NotSupported."""

    def __init__(self, name, **names):
        super().__init__(name)
        self.__dict__.update(names)
        sys.modules[name] = self

    def __getattr__(self, name):
        raise NotSupported(f"{self.__name__}.{name}")


def select(*names, **others):
    """These names of _d2l, and others."""
    return {name: getattr(_d2l, name) for name in names} | others


def sized(function, leading=0):
    """The same function, whose sizes after the leading arguments may be given one by one."""
    def call(*arguments, **keywords):
        sizes = arguments[leading:]
        return function(*arguments[:leading], *(sizes if len(sizes) == 1 else [sizes] * bool(sizes)), **keywords)
    return call


def as_list(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors or [])


def returns_self(method):
    def call(self, *arguments, **keywords):
        method(self, *arguments, **keywords)
        return self
    return call


# --- Tensors


class Size(tuple):
    def __repr__(self):
        return f"torch.Size({list(self)})"

    def __getitem__(self, index):
        item = super().__getitem__(index)
        return Size(item) if isinstance(index, slice) else item

    def numel(self):
        return math.prod(self)


def extreme(name, over):
    """max() and min(): of all elements, or over a dimension with the indices."""
    fields = collections.namedtuple(name, "values indices")
    fields.__repr__ = lambda self: f"torch.return_types.{name}(\nvalues={self.values},\nindices={self.indices})"

    def call(input, dim=None, keepdim=False):
        if isinstance(dim, Tensor):
            raise NotSupported("maximum of two tensors")
        return over(input) if dim is None else fields(*over(input, dim, keepdim))
    return call


def product(dims, phrase):
    """dot() and mv() by matmul(), whose rules for other dimensions are not theirs."""
    def call(input, other):
        if (input.dim(), other.dim()) != dims:
            raise NotSupported(phrase)
        return input.matmul(other)
    return call


def part_of(self, dim, part):
    return self._slice(dim, part.start, part.stop, 1 if part.step is None else part.step)


def index(self, key):
    """x[key] by this library's views."""
    if type(key) is int:
        return self._item(key)
    if isinstance(key, slice):
        return part_of(self, 0, key)
    keys = key if type(key) is tuple else (key,)
    used = sum(k is not None and k is not Ellipsis for k in keys)
    if used > self.dim():
        raise NotSupported("an index for more dimensions than there are")
    with no_grad():  # first each integer alone, so that an error names the dimension that it has in x
        dim = 0
        for k in keys:
            if type(k) is int:
                self.select(dim, k)
            dim += self.dim() - used if k is Ellipsis else k is not None
    part, dim = self, 0
    for k in keys:
        if type(k) is int:
            part = part.select(dim, k)
        elif k is None:
            part, dim = part.unsqueeze(dim), dim + 1
        elif k is Ellipsis:
            dim += self.dim() - used
        elif isinstance(k, slice):
            part, dim = part if k == slice(None) else part_of(part, dim, k), dim + 1
        else:
            raise NotSupported("an index that is no integer")
    return part


def rows(self):
    if self.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter([self[i] for i in range(self.size(0))])


def length(self):
    if self.dim() == 0:
        raise TypeError("len() of a 0-d tensor")
    return self.size(0)


def copy_of(self, _):
    if type_of(self) is UninitializedParameter or not self.is_leaf:
        raise NotSupported("copy")
    copy = self.detach().clone().requires_grad_(self.requires_grad)
    return Parameter(copy, self.requires_grad) if type_of(self) is Parameter else copy


def set_attribute(self, name, value):
    if name not in ("grad", "data", "requires_grad"):
        raise NotSupported(f"Tensor.{name}=")
    object.__setattr__(self, name, value)


def missing_attribute(prefix):
    def missing(_, name):
        raise NotSupported(prefix + name)
    return missing


Tensor.shape = property(lambda self: Size(self._sizes))
Tensor.T = property(lambda self: self.permute(list(range(self.dim()))[::-1]))
Tensor.size = lambda self, dim=None: self.shape if dim is None else self._size(dim)
Tensor.max, Tensor.min = extreme("max", Tensor.max), extreme("min", Tensor.min)
Tensor.dot, Tensor.mv = product((1, 1), "dot of what is no vector"), product((2, 1), "mv of other dimensions")
for name in "view", "reshape", "expand", "permute":
    setattr(Tensor, name, sized(getattr(Tensor, name), 1))
Tensor.__getitem__ = index
Tensor.__setitem__ = lambda self, key, value: index(self, key)._assign(value)
Tensor.__iter__, Tensor.__len__ = rows, length
Tensor.__abs__, Tensor.__pos__ = Tensor.abs, lambda self: self
Tensor.__int__ = lambda self: int(self.item())
Tensor.__float__ = lambda self: float(self.item())
Tensor.__format__ = lambda self, form: format(self.item() if form and self.dim() == 0 else str(self), form)
Tensor.__hash__ = lambda self: id(self)
Tensor.__deepcopy__ = copy_of
Tensor.__setattr__ = set_attribute
Tensor.__getattr__ = missing_attribute("Tensor.")
_d2l.device.index = property(lambda self: self._index if self._index >= 0 else None)
_d2l.device.__hash__ = lambda self: hash(self.type)
_d2l.Node.__getattr__ = _d2l.device.__getattr__ = _d2l.dtype.__getattr__ = missing_attribute("attribute ")


class GradMode(contextlib.ContextDecorator):
    def __enter__(self):
        self.before = _d2l.is_grad_enabled()
        _d2l.set_grad_mode(self.mode)

    def __exit__(self, *_):
        _d2l.set_grad_mode(self.before)


class no_grad(GradMode):
    mode = False


class enable_grad(GradMode):
    mode = True


class set_grad_enabled(GradMode):
    """Sets the mode at once; in `with`, until its end."""

    def __init__(self, mode):
        self.mode = mode
        super().__enter__()

    def __enter__(self):
        pass


def factory(name, options=_d2l.placed_options):
    """A function whose last parameters are those of tensor options."""
    make = getattr(_d2l, name)

    def call(*arguments, dtype=None, device=None, requires_grad=False, **named):
        if name == "tensor" and isinstance(arguments[0], Tensor):
            raise NotSupported("torch.tensor(tensor)")
        return make(*arguments, **named, options=options(dtype, device, requires_grad))
    return call


# --- Parameters and modules


class Parameter(Tensor):
    def __new__(cls, data, requires_grad=True):
        return _d2l.parameter(data, requires_grad)


class UninitializedParameter(Parameter):
    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return _d2l.uninitialized_parameter(_d2l.placed_options(dtype, device, False), requires_grad)


def module_attribute(self, name):
    for key, child in self._named_children():
        if key == name:
            return child
    raise NotSupported(f"Module.{name}")


def set_module_attribute(self, name, value):
    """Only `l.weight += 1`, which assigns the tensor that is there."""
    if not isinstance(value, Tensor) or getattr(self, name) is not value:
        raise NotSupported(f"Module.{name}=")


@returns_self
def module_to(self, *arguments, device=None, dtype=None, non_blocking=False):
    for argument in arguments:
        if isinstance(argument, Tensor):
            device, dtype = argument.device, argument.dtype
        elif isinstance(argument, bool):
            non_blocking = argument
        elif isinstance(argument, _d2l.dtype):
            dtype = argument
        elif argument is not None:
            device = argument
    self._to(device, dtype, non_blocking)


def named_parameters(self, prefix="", recurse=True):
    return iter([((prefix and prefix + ".") + key, value) for key, value in self._named_parameters(recurse)])


def named_modules(self, prefix=""):
    yield prefix, self
    for name, child in self._named_children():
        yield from named_modules(child, (prefix and prefix + ".") + name)


def load_state_dict(self, state_dict, strict=True):
    return self._load_state_dict(list(state_dict.items()), strict)


def part(self, key):
    if isinstance(key, slice):
        raise NotSupported("part of a module")
    return self._item(key)


def no_subclass(cls, **_):
    raise NotSupported("class")


Module.__call__ = lambda self, *inputs, **named: self.forward(*inputs, **named)
Module.__getattr__, Module.__setattr__ = module_attribute, set_module_attribute
Module.__deepcopy__ = lambda self, _: self._clone()
Module.__init_subclass__ = classmethod(no_subclass)
Module.to = module_to
Module.cpu = lambda self: self.to("cpu")
Module.train = returns_self(lambda self, mode=True: self._train(mode))
Module.eval = lambda self: self.train(False)
Module.requires_grad_ = returns_self(
    lambda self, requires_grad=True: [p.requires_grad_(requires_grad) for p in self.parameters()])
Module.parameters = lambda self, recurse=True: iter(self._parameters(recurse))
Module.named_parameters, Module.named_modules = named_parameters, named_modules
Module.named_children = lambda self: iter(self._named_children())
Module.children = lambda self: (child for _, child in self._named_children())
Module.modules = lambda self: (module for _, module in self.named_modules())
Module.state_dict = lambda self: collections.OrderedDict(self._state_dict())
Module.load_state_dict = load_state_dict
_d2l.Sequential.__getitem__ = part
_d2l.Sequential.__iter__ = lambda self: self.children()
_d2l.Sequential.append = returns_self(lambda self, module: self._append(module))
_d2l._IncompatibleKeys.__iter__ = lambda self: iter((self.missing_keys, self.unexpected_keys))


def type_of(value, *others):
    """type(), for classes that change: a lazy layer becomes a Linear, and its parameters Parameters."""
    return type(value, *others) if others else value.__class__


_d2l.set_class(Tensor, property(lambda self: (Tensor, Parameter, UninitializedParameter)[self._parameter_state]))
_d2l.set_class(Module, property(lambda self: getattr(_d2l, self._name())))
_d2l.set_class(_d2l.Node, property(lambda self: type(self.name(), (), {})))


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    return _d2l.clip_grad_norm_(as_list(parameters), max_norm, float(norm_type), error_if_nonfinite)


# --- Optimizers


OPTIONS = "lr", "momentum", "dampening", "weight_decay", "nesterov"


class ParameterGroup(dict):
    """A group as Python shows it; what is assigned to it reaches the optimizer."""

    def __init__(self, parameters, options):
        super().__init__(params=parameters, **{name: getattr(options, name) for name in OPTIONS})
        self.options = options

    def __setitem__(self, name, value):
        set_option(self.options, name, value)
        super().__setitem__(name, value)


def set_option(options, name, value):
    if name not in OPTIONS:
        raise NotSupported(f"{name}=")
    setattr(options, name, value)


def group_of(given, defaults):
    options = defaults.copy()
    for name in set(given) - {"params"}:
        set_option(options, name, given[name])
    return as_list(given["params"]), options


class SGD(_d2l.SGD):
    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0, nesterov=False):
        if isinstance(params, Tensor):
            raise TypeError("params must be an iterable of tensors or dictionaries")
        options = _d2l.SGDOptions(lr)
        for name, value in zip(OPTIONS[1:], (momentum, dampening, weight_decay, nesterov)):
            setattr(options, name, value)
        given = list(params)
        if given and isinstance(given[0], dict):
            given = [group_of(group, options) for group in given]
        super().__init__(given, options)

    @property
    def param_groups(self):
        return [ParameterGroup(self._parameters(i), self._options(i)) for i in range(self._groups())]

    def add_param_group(self, param_group):
        self._add(*group_of(param_group, self._options(0)))

    __getattr__ = missing_attribute("Optimizer.")


# --- The modules


def cast(dtype):
    return lambda self: self.to(dtype)


TYPES = {"float": _d2l.float32, "double": _d2l.float64, "int": _d2l.int32, "long": _d2l.int64, "bool": _d2l.bool}
for name, dtype in TYPES.items():
    setattr(Tensor, name, cast(dtype))
Module.float, Module.double = Tensor.float, Tensor.double
Tensor.cuda = Module.cuda = lambda self, device="cuda": self.to(device)


def function(method):
    """A method of Tensor as a function, whose first argument is called input."""
    return lambda input, *arguments, **keywords: getattr(Tensor, method)(input, *arguments, **keywords)


def autograd_grad(outputs, inputs, grad_outputs=None, retain_graph=None, allow_unused=False):
    return tuple(_d2l.grad(as_list(outputs), as_list(inputs), as_list(grad_outputs), retain_graph, allow_unused))


def autograd_backward(tensors, grad_tensors=None, retain_graph=None):
    _d2l.backward(as_list(tensors), as_list(grad_tensors), retain_graph)


FUNCTIONS = """add sub mul div pow eq ne lt le gt ge neg abs sqrt exp log relu sigmoid tanh sum mean max min argmax norm
    matmul mm allclose equal reshape transpose t permute unsqueeze squeeze select clone numel log_softmax dot flatten
    mv""".split()
DTYPES = "uint8", "int32", "int64", "float32", "float64"
LAYERS = "Module", "Linear", "LazyLinear", "Sequential", "ReLU", "Flatten", "MSELoss", "CrossEntropyLoss"
SIZED = "ones", "zeros", "empty", "rand", "randn"
parameters = {"Parameter": Parameter, "UninitializedParameter": UninitializedParameter}


def cross_entropy(input, target, **options):
    if input.shape == target.shape and target.dtype.is_floating_point:
        raise NotSupported("cross_entropy with probabilities")
    return _d2l.cross_entropy(input, target, **options)


functional = Names("torch.nn.functional", cross_entropy=cross_entropy, **select("linear", "mse_loss"),
                   **{name: function(name) for name in ("relu", "sigmoid", "tanh", "log_softmax")})
nn = Names("torch.nn", **select(*LAYERS), **parameters, functional=functional,
           parameter=Names("torch.nn.parameter", **parameters),
           utils=Names("torch.nn.utils", clip_grad_norm_=clip_grad_norm_),
           init=Names("torch.nn.init",
                      **select("zeros_", "ones_", "constant_", "uniform_", "normal_", "kaiming_uniform_")))
optim = Names("torch.optim", SGD=SGD)
torch = Names("torch", nn=nn, optim=optim, Size=Size, no_grad=no_grad, enable_grad=enable_grad,
              set_grad_enabled=set_grad_enabled, concat=_d2l.cat, autograd=Names("torch.autograd", grad=autograd_grad, backward=autograd_backward),
              cuda=Names("torch.cuda"), NotSupported=NotSupported, type_of=type_of,
              **{name: sized(factory(name)) for name in SIZED}, **{name: factory(name) for name in ("full", "tensor", "arange")},
              **{f"{name}_like": factory(f"{name}_like", _d2l.like_options) for name in (*SIZED, "full")},
              **{name: function(name) for name in FUNCTIONS}, **TYPES, **select(*DTYPES),
              **select("Tensor", "dtype", "device", "cat", "stack", "manual_seed", "is_grad_enabled"))
