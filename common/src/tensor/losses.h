// SPDX-License-Identifier: MIT
// The part of the losses that their derivatives use.
#pragma once

#include "d2l/tensor.h"

namespace d2l::detail {

/// The gradient of x where `result` is log_softmax(x, dim) and `grad` its gradient.
Tensor log_softmax_gradient(const Tensor& grad, const Tensor& result, int dim);

}  // namespace d2l::detail
