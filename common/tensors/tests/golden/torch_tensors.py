# SPDX-License-Identifier: MIT
"""Tensors of this library (_d2l) with the members and functions of PyTorch's."""
import collections
import contextlib
import math

import _d2l
from _d2l import Tensor


class NotSupported(AttributeError):
    """A case uses a name that this library lacks; not_supported.txt must list it."""


def sized(function, leading=0):
    """The same function, whose sizes after the leading arguments may be given one by one."""
    def call(*arguments, **keywords):
        sizes = arguments[leading:]
        return function(*arguments[:leading], *(sizes if len(sizes) == 1 else [sizes] * bool(sizes)), **keywords)
    return call


def as_list(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors or [])


class Size(tuple):
    def __repr__(self):
        return f"torch.Size({list(self)})"

    def __getitem__(self, index):
        item = super().__getitem__(index)
        return Size(item) if isinstance(index, slice) else item

    def numel(self):
        return math.prod(self)


def fields(name):
    """The class of values with their indices, which prints as PyTorch's."""
    both = collections.namedtuple(name, "values indices")
    both.__repr__ = lambda self: f"torch.return_types.{name}(\nvalues={self.values},\nindices={self.indices})"
    return both


def extreme(name, over):
    """max() and min(): of all elements, or over a dimension with the indices."""
    both = fields(name)

    def call(input, dim=None, keepdim=False):
        if isinstance(dim, Tensor):
            return input.maximum(dim) if name == "max" else input.minimum(dim)
        return over(input) if dim is None else both(*over(input, dim, keepdim))
    return call


def ordered(name, over):
    """sort() and topk(): values with their indices."""
    both = fields(name)
    return lambda input, *arguments, **keywords: both(*over(input, *arguments, **keywords))


def as_tuple(parts):
    """split() and chunk(): the parts as a tuple."""
    return lambda input, *arguments, **keywords: tuple(parts(input, *arguments, **keywords))


def index(self, key):
    """x[key] by this library's index()."""
    if type(key) is int:
        return self._item(key)
    return self._index_list(key if type(key) is tuple else (key,))


def assign(self, key, value):
    if type(key) is int:
        return self._item(key)._assign(value)
    return self._put_list(key if type(key) is tuple else (key,), value)


def rows(self):
    if self.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter([self[i] for i in range(self.size(0))])


def length(self):
    if self.dim() == 0:
        raise TypeError("len() of a 0-d tensor")
    return self.size(0)


def set_attribute(self, name, value):
    if name not in ("grad", "data", "requires_grad"):
        raise NotSupported(f"Tensor.{name}=")
    object.__setattr__(self, name, value)


def cast(dtype):
    return lambda self: self.to(dtype)


def missing_attribute(prefix):
    def missing(_, name):
        raise NotSupported(prefix + name)
    return missing


Tensor.half, Tensor.bfloat16 = cast(_d2l.float16), cast(_d2l.bfloat16)
Tensor.float, Tensor.double = cast(_d2l.float32), cast(_d2l.float64)
Tensor.int, Tensor.long, Tensor.bool = cast(_d2l.int32), cast(_d2l.int64), cast(_d2l.bool)
Tensor.cuda = lambda self, device="cuda": self.to(device)
Tensor.shape = property(lambda self: Size(self._sizes))
Tensor.T = property(lambda self: self.permute(list(range(self.dim()))[::-1]))
Tensor.size = lambda self, dim=None: self.shape if dim is None else self._size(dim)
Tensor.max, Tensor.min = extreme("max", Tensor.max), extreme("min", Tensor.min)
Tensor.sort, Tensor.topk = ordered("sort", Tensor._sort), ordered("topk", Tensor._topk)
Tensor.split, Tensor.chunk = as_tuple(Tensor._split), as_tuple(Tensor._chunk)
Tensor.split_with_sizes = as_tuple(Tensor._split_with_sizes)
Tensor.unbind = as_tuple(Tensor._unbind)
for name in "view", "reshape", "expand", "permute", "flip", "repeat", "broadcast_to":
    setattr(Tensor, name, sized(getattr(Tensor, name), 1))
Tensor.__getitem__ = index
Tensor.__setitem__ = assign
Tensor.__iter__, Tensor.__len__ = rows, length
Tensor.__abs__, Tensor.__pos__ = Tensor.abs, lambda self: self
Tensor.__int__ = lambda self: int(self.item())
Tensor.__float__ = lambda self: float(self.item())
Tensor.__format__ = lambda self, form: format(self.item() if form and self.dim() == 0 else str(self), form)
Tensor.__hash__ = lambda self: id(self)
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


class autocast(contextlib.ContextDecorator):
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        self.chosen = device_type, dtype, enabled, cache_enabled

    def __enter__(self):
        _d2l.enter_autocast(*self.chosen)

    def __exit__(self, *_):
        _d2l.exit_autocast()


def factory(name, options=_d2l.placed_options):
    """A function whose last parameters are those of tensor options."""
    make = getattr(_d2l, name)

    def call(*arguments, dtype=None, device=None, requires_grad=False, **named):
        if name == "tensor" and isinstance(arguments[0], Tensor):
            raise NotSupported("torch.tensor(tensor)")
        return make(*arguments, **named, options=options(dtype, device, requires_grad))
    return call
