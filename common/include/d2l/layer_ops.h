// SPDX-License-Identifier: MIT
/// @file
/// Layers, activations and losses as free functions of tensors.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "d2l/ops.h"

namespace d2l {

// Activations; see also relu(), sigmoid() and tanh().
/// x × Φ(x), where Φ is the normal distribution function; `approximate` may be "tanh" for 2Φ(x) − 1 by a hyperbolic
/// tangent. TypeError unless floating point, ValueError for another name than "none" or "tanh".
Tensor gelu(const Tensor& x, std::string_view approximate = "none");
/// x / (1 + e⁻ˣ); TypeError unless floating point.
Tensor silu(const Tensor& x);
/// log(1 + e^(beta × x)) / beta, and x itself where beta × x > threshold; TypeError unless floating point.
Tensor softplus(const Tensor& x, Scalar beta = 1, Scalar threshold = 20);
/// x above 0, else negative_slope × x; TypeError unless floating point.
Tensor leaky_relu(const Tensor& x, Scalar negative_slope = 0.01);
/// x from 0, else alpha × (eˣ − 1); TypeError unless floating point.
Tensor elu(const Tensor& x, Scalar alpha = 1);
/// The result of a loss, from one loss per element.
namespace Reduction {
/// The result of a loss, by LibTorch's names.
enum Reduction : std::int8_t {
  None,  ///< one loss per element
  Mean,  ///< their mean, a tensor of one element
  Sum    ///< their sum, a tensor of one element
};
}  // namespace Reduction

/// (input − target)², by default the mean; ShapeError unless the shapes broadcast, TypeError unless floating point.
Tensor mse_loss(const Tensor& input, const Tensor& target, std::int64_t reduction = Reduction::Mean);
/// -log softmax(input) at the class of the target: input (N, C, …) or (C), target int64 of the same shape without C.
/// Targets equal to `ignore_index` are ignored. A class out of range is an IndexError on the CPU and a fatal error on a
/// GPU; ShapeError or TypeError for another target.
Tensor cross_entropy_loss(const Tensor& input, const Tensor& target, std::int64_t reduction = Reduction::Mean,
                          std::int64_t ignore_index = -100);

// Convolution: convolution.cpp.
/// The cross-correlation of input (N, channels, height, width), or without N, with weight (outputs, channels / groups,
/// kernel height, kernel width), plus bias (outputs) unless it is undefined: (N, outputs, rows, columns), where rows =
/// (height + 2 × padding − dilation × (kernel height − 1) − 1) / stride + 1, rounded down. A stride, padding or
/// dilation is one number, or one for the height and one for the width. ShapeError for shapes that do not fit and a
/// kernel larger than the padded input, ValueError for a number out of range, TypeError unless all have one
/// floating-point dtype, DeviceError unless all are on one device.
Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, std::int64_t groups = 1);
namespace detail {
Tensor conv2d_padded(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride,
                     std::string_view padding, IntArrayRef dilation, std::int64_t groups);
}  // namespace detail
/// The same with padding "valid", which is none, or "same", by which the result has the height and width of the input;
/// ValueError for "same" with another stride than 1, and for another name.
template <std::convertible_to<std::string_view> Padding>
Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias, IntArrayRef stride, const Padding& padding,
              IntArrayRef dilation = 1, std::int64_t groups = 1) {
  return detail::conv2d_padded(input, weight, bias, stride, padding, dilation, groups);
}

}  // namespace d2l
