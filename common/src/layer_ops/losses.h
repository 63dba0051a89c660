// SPDX-License-Identifier: MIT
// The gradients of softmax and log_softmax, which the derivatives of the losses use.
#pragma once

#include "d2l/tensor.h"

namespace d2l::detail {

/// The gradient of x where `result` is log_softmax(x, dim) and `grad` is the gradient of `result`.
Tensor log_softmax_gradient(const Tensor& grad, const Tensor& result, int dim);
/// The same of softmax.
Tensor softmax_gradient(const Tensor& grad, const Tensor& result, int dim);

}  // namespace d2l::detail
