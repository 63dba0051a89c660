// SPDX-License-Identifier: MIT
// What autograd adds to tensors and to torch, by its Python names.
#pragma once

#include "python_subset/value.h"

namespace python_subset {

/// "Tensor", "Parameter" or "UninitializedParameter".
std::string type_of_tensor(const d2l::Tensor& tensor);
/// `torch.no_grad()`, `torch.autograd.grad(…)` and their like; nothing when `a` is none of them.
std::optional<Value> call_gradient_function(Arguments& a);

}  // namespace python_subset
