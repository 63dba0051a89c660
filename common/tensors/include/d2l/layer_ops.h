// SPDX-License-Identifier: MIT
/// @file
/// Layers, activations and losses as free functions of tensors.
#pragma once

#include <concepts>
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
/// x above 0, else weight × x: one weight, or one for each channel, which are the second dimension. The weight has one
/// dimension. ShapeError for another number of weights, TypeError unless both have one floating-point dtype.
Tensor prelu(const Tensor& x, const Tensor& weight);
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
/// |input − target|, by default the mean; ShapeError unless the shapes broadcast, TypeError for bool.
Tensor l1_loss(const Tensor& input, const Tensor& target, std::int64_t reduction = Reduction::Mean);
/// (input − target)² / 2 up to a difference of `delta`, and delta × (|input − target| − delta / 2) beyond, by default
/// the mean. ShapeError unless the shapes broadcast, TypeError unless floating point, ValueError unless delta is
/// positive.
Tensor huber_loss(const Tensor& input, const Tensor& target, std::int64_t reduction = Reduction::Mean,
                  double delta = 1);
/// huber_loss() with the delta `beta`, divided by beta; l1_loss() if beta is 0, ValueError if it is negative.
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, std::int64_t reduction = Reduction::Mean,
                      double beta = 1);
/// −target × log σ(input) − (1 − target) × log(1 − σ(input)), where σ is sigmoid(), by default the mean. The input and
/// the target have one shape; `weight` is a factor of each loss, and `pos_weight` of its first term, and both broadcast
/// to that shape. ShapeError for another shape, TypeError unless floating point, ValueError for a weight that requires
/// gradients.
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target, const Tensor& weight = {},
                                        const Tensor& pos_weight = {}, std::int64_t reduction = Reduction::Mean);
/// −weight × input at the class of the target: input (N, C, …) or (C), which holds logarithms of probabilities, target
/// int64 of the same shape without C, weight (C) or none. Targets equal to `ignore_index` are ignored; the mean is the
/// sum, divided by the weights of the others. A class out of range is an IndexError on the CPU and a fatal error on a
/// GPU; ShapeError or TypeError for another target or weight, ValueError for a weight that requires gradients.
Tensor nll_loss(const Tensor& input, const Tensor& target, const Tensor& weight = {},
                std::int64_t reduction = Reduction::Mean, std::int64_t ignore_index = -100);
/// nll_loss() of log softmax(input). The target may also hold the probabilities of the classes, in the input's shape
/// and floating point: then each loss is −Σ weight × target × log softmax(input). `label_smoothing` is the part of
/// each probability that is spread over all classes evenly. Errors as nll_loss(), and ValueError for a smoothing above
/// 1 or an ignore_index with probabilities.
Tensor cross_entropy_loss(const Tensor& input, const Tensor& target, const Tensor& weight = {},
                          std::int64_t reduction = Reduction::Mean, std::int64_t ignore_index = -100,
                          double label_smoothing = 0);

/// softmax(scale × query keyᵀ + mask) value: query (…, L, E), key (…, S, E), value (…, S, V) → (…, L, V), where the
/// leading dimensions broadcast. `attn_mask` broadcasts to (…, L, S): bool, where true takes part, or numbers to add. A
/// query for which no key takes part gives 0. `dropout_p` is the probability that a weight becomes 0, also in
/// evaluation mode; `is_causal` is a mask of the keys up to each query; `scale` is 1 / √E by default. TypeError for
/// other dtypes than the query's, ShapeError for other shapes, ValueError for a probability above 1 or two masks.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask = {}, double dropout_p = 0, bool is_causal = false,
                                    std::optional<double> scale = std::nullopt);

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
// Normalisations and embeddings.
/// (x − mean) / √(variance + eps) × weight + bias, where mean and biased variance are those of each row: the dimensions
/// `normalized_shape` at the end of the input, which weight and bias have too, if they are defined. ShapeError for
/// other shapes, TypeError unless all have one floating-point dtype, DeviceError for two devices.
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5);
/// x / √(mean of x² + eps) × weight, where the mean is that of each row, as in layer_norm(); `eps` is by default the
/// machine epsilon of the dtype. Errors as layer_norm().
Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight = {},
                std::optional<double> eps = std::nullopt);
/// (x − mean) / √(variance + eps) × weight + bias for each channel c of the input (N, C, …); weight, bias, running_mean
/// and running_var have C elements, and may be undefined. In training, mean and biased variance are those of the input,
/// and the running ones become (1 − momentum) × their value + momentum × that of the input, whose variance is divided
/// by the count − 1; otherwise the running ones are used. `cudnn_enabled` has no effect. ShapeError for other shapes,
/// TypeError unless all have one floating-point dtype, DeviceError for two devices, ValueError for undefined running
/// statistics outside training and for ones that require gradients.
Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                  const Tensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled = true);
/// The rows of weight (n, d) at int64 or int32 indices of any shape: (…, d). The row `padding_idx` gets no gradient;
/// with `scale_grad_by_freq` the gradient of a row is divided by the count of its index. An index out of range is an
/// IndexError on the CPU and a fatal error on a GPU; ShapeError, TypeError or DeviceError for other operands,
/// ValueError for `sparse`.
Tensor embedding(const Tensor& weight, const Tensor& indices, std::int64_t padding_idx = -1,
                 bool scale_grad_by_freq = false, bool sparse = false);
/// Scales each row of weight (n, d) that an index names and whose norm is above `max_norm` to that norm, in place and
/// without a record; errors as embedding().
Tensor& embedding_renorm_(Tensor& weight, const Tensor& indices, double max_norm, double norm_type);
// Other sizes of images.
///@{
/// Images (N, C, width) or (N, C, height, width) with other sizes, by the nearest element, or by linear interpolation
/// between two elements of each dimension. An element is at the middle of its area; with `align_corners` the first and
/// the last elements stay where they are. A scale, if given, is that of the coordinates; else it is the quotient of the
/// sizes. ShapeError for another input or sizes that are not positive, TypeError unless floating point (nearest: or
/// uint8).
Tensor upsample_nearest1d(const Tensor& input, IntArrayRef output_size, std::optional<double> scale = std::nullopt);
Tensor upsample_nearest2d(const Tensor& input, IntArrayRef output_size, std::optional<double> scale_h = std::nullopt,
                          std::optional<double> scale_w = std::nullopt);
Tensor upsample_linear1d(const Tensor& input, IntArrayRef output_size, bool align_corners,
                         std::optional<double> scale = std::nullopt);
Tensor upsample_bilinear2d(const Tensor& input, IntArrayRef output_size, bool align_corners,
                           std::optional<double> scale_h = std::nullopt, std::optional<double> scale_w = std::nullopt);
///@}
/// The windows of images (N, C, H, W) or (C, H, W) as columns: (N, C × kernel height × kernel width, windows).
/// Arguments as those of conv2d(); ValueError for one out of range, ShapeError for another input and a kernel larger
/// than it.
Tensor im2col(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride);
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
