# SPDX-License-Identifier: MIT
"""Optimizers of this library (_d2l) with the members of PyTorch's."""
import _d2l
from _d2l import Tensor
from torch_tensors import NotSupported, as_list, missing_attribute


class ParameterGroup(dict):
    """A group as Python shows it; what is assigned to it reaches the optimizer."""

    def __init__(self, parameters, options, names):
        super().__init__(params=parameters, **{name: getattr(options, name) for name in names})
        self.options, self.names = options, names

    def __setitem__(self, name, value):
        set_option(self.options, self.names, name, value)
        super().__setitem__(name, value)


def set_option(options, names, name, value):
    if name not in names:
        raise NotSupported(f"{name}=")
    setattr(options, name, value)


def optimizer(kind, **defaults):
    """The class of an optimizer, whose options have the defaults of PyTorch; None is for one without a default."""
    base, make_options = getattr(_d2l, kind), getattr(_d2l, kind + "Options")

    class Optimizer(base):
        def __init__(self, params, *values, **named):
            if isinstance(params, Tensor):
                raise TypeError("params must be an iterable of tensors or dictionaries")
            given = defaults | dict(zip(defaults, values)) | named
            if given["lr"] is None:
                raise TypeError(f"{kind}.__init__() missing 1 required positional argument: 'lr'")
            options = make_options(given.pop("lr"))
            for name, value in given.items():
                set_option(options, defaults, name, value)
            groups = list(params)
            if groups and isinstance(groups[0], dict):
                groups = [group_of(group, options) for group in groups]
            super().__init__(groups, options)

        @property
        def param_groups(self):
            return [ParameterGroup(self._parameters(i), self._options(i), defaults) for i in range(self._groups())]

        def add_param_group(self, param_group):
            self._add(*group_of(param_group, self._options(0)))

        __getattr__ = missing_attribute("Optimizer.")

    def group_of(given, options):
        own = options.copy()
        for name in set(given) - {"params"}:
            set_option(own, defaults, name, given[name])
        return as_list(given["params"]), own

    Optimizer.__name__ = Optimizer.__qualname__ = kind
    return Optimizer


OPTIMIZERS = {
    "SGD": optimizer("SGD", lr=None, momentum=0, dampening=0, weight_decay=0, nesterov=False),
    "Adam": optimizer("Adam", lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False),
    "AdamW": optimizer("AdamW", lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False),
    "RMSprop": optimizer("RMSprop", lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False),
    "Adagrad": optimizer("Adagrad", lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10)}
