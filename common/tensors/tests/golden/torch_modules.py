# SPDX-License-Identifier: MIT
"""Parameters and modules of this library (_d2l) with the members of PyTorch's."""
import collections

import _d2l
from _d2l import Module, Tensor
from torch_tensors import NotSupported, as_list, missing_attribute


class Parameter(Tensor):
    def __new__(cls, data, requires_grad=True):
        return _d2l.parameter(data, requires_grad)


class UninitializedParameter(Parameter):
    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return _d2l.uninitialized_parameter(_d2l.placed_options(dtype, device, False), requires_grad)


def copy_of(self, _):
    if type_of(self) is UninitializedParameter or not self.is_leaf:
        raise NotSupported("copy")
    copy = self.detach().clone().requires_grad_(self.requires_grad)
    return Parameter(copy, self.requires_grad) if type_of(self) is Parameter else copy


def module_attribute(self, name):
    for key, child in self._named_children():
        if key == name:
            return child
    raise NotSupported(f"Module.{name}")


def set_module_attribute(self, name, value):
    """Only `l.weight += 1`, which assigns the tensor that is there."""
    if not isinstance(value, Tensor) or getattr(self, name) is not value:
        raise NotSupported(f"Module.{name}=")


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
    wanted = [value for value in (device, dtype) if value is not None]
    return self._to(*wanted, non_blocking) if wanted else self


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


def set_requires_grad(self, requires_grad=True):
    for parameter in self.parameters():
        parameter.requires_grad_(requires_grad)
    return self


def no_subclass(cls, **_):
    raise NotSupported("class")


Module.__call__ = lambda self, *inputs, **named: self.forward(*inputs, **named)
Module.__getattr__, Module.__setattr__ = module_attribute, set_module_attribute
Tensor.__deepcopy__, Module.__deepcopy__ = copy_of, lambda self, _: self._clone()
Module.__init_subclass__ = classmethod(no_subclass)
Module.to = module_to
Module.cpu = lambda self: self.to("cpu")
Module.cuda, Module.float, Module.double = Tensor.cuda, Tensor.float, Tensor.double
Module.half, Module.bfloat16 = Tensor.half, Tensor.bfloat16
Module.requires_grad_ = set_requires_grad
Module.parameters = lambda self, recurse=True: iter(self._parameters(recurse))
Module.named_parameters, Module.named_modules = named_parameters, named_modules
Module.named_children = lambda self: iter(self._named_children())
Module.children = lambda self: (child for _, child in self._named_children())
Module.modules = lambda self: (module for _, module in self.named_modules())
Module.state_dict = lambda self: collections.OrderedDict(self._state_dict())
Module.load_state_dict = load_state_dict
_d2l.Sequential.__getitem__ = part
_d2l.Sequential.__iter__ = lambda self: self.children()
_d2l.Sequential.append = lambda self, module: self._append(module) or self
_d2l._IncompatibleKeys.__iter__ = lambda self: iter((self.missing_keys, self.unexpected_keys))


def type_of(value, *others):
    """type(), for classes that change: a lazy layer becomes a Linear, and its parameters Parameters."""
    return type(value, *others) if others else value.__class__


_d2l.set_class(Tensor, property(lambda self: (Tensor, Parameter, UninitializedParameter)[self._parameter_state]))
_d2l.set_class(Module, property(lambda self: getattr(_d2l, self._name())))
_d2l.set_class(_d2l.Node, property(lambda self: type(self.name(), (), {})))


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    return _d2l.clip_grad_norm_(as_list(parameters), max_norm, float(norm_type), error_if_nonfinite)
