// SPDX-License-Identifier: MIT
// torch.optim and the clipping of gradients, by their Python names.
#pragma once

#include "python_subset/value.h"

namespace python_subset {

/// A call of `torch.optim.…`.
Value make_optimizer(Arguments& a);
Value optimizer_attribute(const OptimizerPointer& optimizer, const std::string& name);
Value call_optimizer_method(const OptimizerPointer& optimizer, Arguments& a);
/// `torch.nn.utils.clip_grad_norm_`.
Value clip_grad_norm(Arguments& a);

}  // namespace python_subset
