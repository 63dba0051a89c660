// SPDX-License-Identifier: MIT
// The gradients of a convolution, which its derivative uses.
#pragma once

#include "core/tensor_impl.h"

namespace d2l::detail {

/// The numbers that a convolution saves: stride, padding and dilation of height and width, and the groups.
inline constexpr int convolution_numbers = 7;

/// The gradient of the input, of shape `sizes`, where `grad` is that of the result.
Tensor convolution_input_gradient(const Tensor& grad, const Tensor& weight, const Dimensions& sizes,
                                  const Dimensions& numbers);
/// The gradient of the weight, of shape `sizes`.
Tensor convolution_weight_gradient(const Tensor& grad, const Tensor& input, const Dimensions& sizes,
                                   const Dimensions& numbers);

}  // namespace d2l::detail
