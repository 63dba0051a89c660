// SPDX-License-Identifier: MIT
/// @file
/// Layers, activations and losses as free functions of tensors.
#pragma once

#include <cstdint>
#include <optional>
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

}  // namespace d2l
