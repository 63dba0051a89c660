// SPDX-License-Identifier: MIT
// What the losses have in common.
#pragma once

#include <cstdint>

#include "d2l/tensor.h"

namespace d2l::detail {

/// ValueError unless `reduction` is one of Reduction.
void check_reduction(std::int64_t reduction, const char* operation);
/// The losses of the elements, their mean or their sum.
Tensor reduced_loss(const Tensor& losses, std::int64_t reduction);
/// ValueError for an argument `name` that wants a gradient, which PyTorch's function `operation` has none for. The
/// tensor may be undefined.
void check_not_differentiable(const Tensor& tensor, const char* operation, const char* name);

}  // namespace d2l::detail
