// SPDX-License-Identifier: MIT
/// @file
/// Layers and losses as functions.
#pragma once

#include <cstdint>

#include "d2l/layer_ops.h"
#include "d2l/nn/dropout.h"
#include "d2l/nn/loss.h"
#include "d2l/nn/pooling.h"  // IWYU pragma: export

/// Layers and losses as functions, by the names of LibTorch.
namespace d2l::nn::functional {

using MSELossFuncOptions = MSELossOptions;                ///< the options of mse_loss()
using CrossEntropyFuncOptions = CrossEntropyLossOptions;  ///< the options of cross_entropy()

/// (…, in), (out, in), (out) → (…, out); see d2l::linear().
inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) {
  return d2l::linear(input, weight, bias);
}
/// max(x, 0); see Tensor::relu().
inline Tensor relu(const Tensor& input) { return input.relu(); }
/// x − log Σ eˣ along `dim`; see Tensor::log_softmax().
inline Tensor log_softmax(const Tensor& input, std::int64_t dim) { return input.log_softmax(dim); }
/// (input − target)², by default averaged; see d2l::mse_loss().
inline Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options = {}) {
  return d2l::mse_loss(input, target, options.reduction());
}
/// −log softmax(input) at the target's class; see d2l::cross_entropy_loss().
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options = {}) {
  return cross_entropy_loss(input, target, options.reduction(), options.ignore_index());
}

}  // namespace d2l::nn::functional
