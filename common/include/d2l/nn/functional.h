// SPDX-License-Identifier: MIT
// Layers and losses as functions.
#pragma once

#include <cstdint>

#include "d2l/nn/loss.h"
#include "d2l/ops.h"

namespace d2l::nn::functional {

using MSELossFuncOptions = MSELossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;

inline Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {}) {
  return d2l::linear(input, weight, bias);
}
inline Tensor relu(const Tensor& input) { return input.relu(); }
inline Tensor log_softmax(const Tensor& input, std::int64_t dim) { return input.log_softmax(dim); }
inline Tensor mse_loss(const Tensor& input, const Tensor& target, const MSELossFuncOptions& options = {}) {
  return d2l::mse_loss(input, target, options.reduction());
}
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyFuncOptions& options = {}) {
  return cross_entropy_loss(input, target, options.reduction(), options.ignore_index());
}

}  // namespace d2l::nn::functional
