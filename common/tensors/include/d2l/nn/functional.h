// SPDX-License-Identifier: MIT
/// @file
/// Layers and losses as functions.
#pragma once

#include <cstdint>
#include <optional>

#include "d2l/layer_ops.h"
#include "d2l/nn/activation.h"
#include "d2l/nn/batch_norm.h"
#include "d2l/nn/conv.h"
#include "d2l/nn/dropout.h"
#include "d2l/nn/embedding.h"
#include "d2l/nn/layer_norm.h"
#include "d2l/nn/loss.h"
#include "d2l/nn/pooling.h"     // IWYU pragma: export
#include "d2l/nn/upsampling.h"  // IWYU pragma: export

/// Layers and losses as functions, by the names of LibTorch.
namespace d2l::nn::functional {

using MSELossFuncOptions = MSELossOptions;                ///< the options of mse_loss()
using CrossEntropyFuncOptions = CrossEntropyLossOptions;  ///< the options of cross_entropy()
using L1LossFuncOptions = L1LossOptions;                  ///< the options of l1_loss()
using SmoothL1LossFuncOptions = SmoothL1LossOptions;      ///< the options of smooth_l1_loss()
using HuberLossFuncOptions = HuberLossOptions;            ///< the options of huber_loss()
using NLLLossFuncOptions = NLLLossOptions;                ///< the options of nll_loss()
/// The options of binary_cross_entropy_with_logits().
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;
using ELUFuncOptions = ELUOptions;              ///< the options of elu()
using GELUFuncOptions = GELUOptions;            ///< the options of gelu()
using LeakyReLUFuncOptions = LeakyReLUOptions;  ///< the options of leaky_relu()
using SoftplusFuncOptions = SoftplusOptions;    ///< the options of softplus()

/// The options of softmax() and log_softmax().
class SoftmaxFuncOptions {
 public:
  /// `dim` is the dimension along which the results sum to 1.
  SoftmaxFuncOptions(std::int64_t dim) : dim_(dim) {}  // NOLINT(google-explicit-constructor)
  /// The dimension along which the results sum to 1.
  SoftmaxFuncOptions& dim(std::int64_t dim) {
    dim_ = dim;
    return *this;
  }
  /// The dtype to which the input is converted first.
  SoftmaxFuncOptions& dtype(std::optional<ScalarType> dtype) {
    dtype_ = dtype;
    return *this;
  }
  /// The dimension along which the results sum to 1.
  [[nodiscard]] std::int64_t dim() const noexcept { return dim_; }
  /// The dtype to which the input is converted first; by default none.
  [[nodiscard]] std::optional<ScalarType> dtype() const noexcept { return dtype_; }

 private:
  std::int64_t dim_;
  std::optional<ScalarType> dtype_;
};
using LogSoftmaxFuncOptions = SoftmaxFuncOptions;  ///< the options of log_softmax()

/// (…, in), (out, in), (out) → (…, out); see d2l::linear().
inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) {
  return d2l::linear(input, weight, bias);
}
/// max(x, 0); see Tensor::relu().
inline Tensor relu(const Tensor& input) { return input.relu(); }
/// 1 / (1 + e⁻ˣ); see Tensor::sigmoid().
inline Tensor sigmoid(const Tensor& input) { return input.sigmoid(); }
/// The hyperbolic tangent; see Tensor::tanh().
inline Tensor tanh(const Tensor& input) { return input.tanh(); }
/// x × Φ(x); see d2l::gelu().
inline Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {}) {
  return d2l::gelu(input, options.approximate());
}
/// x / (1 + e⁻ˣ); see d2l::silu().
inline Tensor silu(const Tensor& input) { return d2l::silu(input); }
/// x above 0, else negative_slope × x, into the input if `inplace` is set; see d2l::leaky_relu().
inline Tensor leaky_relu(const Tensor& input, const LeakyReLUFuncOptions& options = {}) {
  return LeakyReLUImpl(options).forward(input);
}
/// x above 0, else weight × x; see d2l::prelu().
inline Tensor prelu(const Tensor& input, const Tensor& weight) { return d2l::prelu(input, weight); }
/// x / √(mean of x² + eps) × weight, row by row; see d2l::rms_norm().
inline Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight = {},
                       std::optional<double> eps = std::nullopt) {
  return d2l::rms_norm(input, normalized_shape, weight, eps);
}
/// x from 0, else alpha × (eˣ − 1), into the input if `inplace` is set; see d2l::elu().
inline Tensor elu(const Tensor& input, const ELUFuncOptions& options = {}) { return ELUImpl(options).forward(input); }
/// log(1 + e^(beta × x)) / beta; see d2l::softplus().
inline Tensor softplus(const Tensor& input, const SoftplusFuncOptions& options = {}) {
  return d2l::softplus(input, options.beta(), options.threshold());
}
/// eˣ / Σ eˣ along the dimension of the options; see Tensor::softmax().
inline Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options) {
  return (options.dtype() ? input.to(*options.dtype()) : input).softmax(options.dim());
}
/// x − log Σ eˣ along the dimension of the options; see Tensor::log_softmax().
inline Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options) {
  return (options.dtype() ? input.to(*options.dtype()) : input).log_softmax(options.dim());
}
/// The classes as rows of zeros with a one; see d2l::one_hot().
inline Tensor one_hot(const Tensor& tensor, std::int64_t num_classes = -1) { return d2l::one_hot(tensor, num_classes); }
/// (input − target)², by default averaged; see d2l::mse_loss().
inline Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options = {}) {
  return d2l::mse_loss(input, target, options.reduction());
}
/// −log softmax(input) at the target's class; see d2l::cross_entropy_loss().
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options = {}) {
  return cross_entropy_loss(input, target, options.weight(), options.reduction(), options.ignore_index(),
                            options.label_smoothing());
}
/// |input − target|, by default averaged; see d2l::l1_loss().
inline Tensor l1_loss(const Tensor& input, const Tensor& target, const L1LossFuncOptions& options = {}) {
  return d2l::l1_loss(input, target, options.reduction());
}
/// A parabola up to a difference of beta, and linear beyond; see d2l::smooth_l1_loss().
inline Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options = {}) {
  return d2l::smooth_l1_loss(input, target, options.reduction(), options.beta());
}
/// The same with a beta that replaces that of the options.
inline Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const SmoothL1LossFuncOptions& options,
                             double beta) {
  return d2l::smooth_l1_loss(input, target, options.reduction(), beta);
}
/// A parabola up to a difference of delta, and linear beyond; see d2l::huber_loss().
inline Tensor huber_loss(const Tensor& input, const Tensor& target, const HuberLossFuncOptions& options = {}) {
  return d2l::huber_loss(input, target, options.reduction(), options.delta());
}
/// −input at the target's class; see d2l::nll_loss().
inline Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossFuncOptions& options = {}) {
  return d2l::nll_loss(input, target, options.weight(), options.reduction(), options.ignore_index());
}
/// The cross entropy of probabilities σ(input); see d2l::binary_cross_entropy_with_logits().
inline Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                               const BinaryCrossEntropyWithLogitsFuncOptions& options = {}) {
  return d2l::binary_cross_entropy_with_logits(input, target, options.weight(), options.pos_weight(),
                                               options.reduction());
}
/// softmax(query keyᵀ / √E + mask) value; see d2l::scaled_dot_product_attention().
inline Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                           const Tensor& attn_mask = {}, double dropout_p = 0, bool is_causal = false,
                                           std::optional<double> scale = std::nullopt) {
  return d2l::scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale);
}

}  // namespace d2l::nn::functional
