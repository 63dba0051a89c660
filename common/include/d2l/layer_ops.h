// SPDX-License-Identifier: MIT
/// @file
/// Layers, activations and losses as free functions of tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

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

// Poolings of images (N, C, H, W) or (C, H, W), whose result has the number of windows in place of H and W. A size is
// one integer, or {height, width}.
///@{
/// The largest element of each window, and its int64 index in its image; NaN is the largest. The stride is by default
/// the kernel size; `dilation` is the distance of the elements of a window; `ceil_mode` adds a last window that is only
/// partly in the image. ValueError for sizes that PyTorch refuses, ShapeError for another input and for one without a
/// window, TypeError for bool.
Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  IntArrayRef dilation = 1, bool ceil_mode = false);
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, IntArrayRef kernel_size,
                                                   IntArrayRef stride = {}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);
///@}
/// The sum of each window, divided by `divisor_override`, or else by the number of its elements, among them those in
/// the padding if `count_include_pad`. ValueError for sizes that PyTorch refuses and a divisor of 0, ShapeError or
/// IndexError for another input, TypeError unless floating point or int64.
Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true,
                  std::optional<std::int64_t> divisor_override = {});
/// The averages of output_size {height, width} windows, which divide the image as evenly as they can: window i begins
/// at ⌊i × size / windows⌋ and ends before ⌈(i + 1) × size / windows⌉. ValueError unless they are two sizes that are
/// not negative, ShapeError for another input, TypeError unless floating point.
Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size);

}  // namespace d2l
