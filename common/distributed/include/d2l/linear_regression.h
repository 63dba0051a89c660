// SPDX-License-Identifier: MIT
/// @file
/// LinearRegression: a linear model.
#pragma once

#include <memory>

#include "d2l/layer_ops.h"
#include "d2l/model.h"
#include "d2l/nn/linear.h"

namespace d2l {

/// X (N, features) → Xw + b (N, 1), trained by the mean squared error and stochastic gradient descent.
class LinearRegression : public Model {
 public:
  /// `options` are those of SGD: a learning rate, or more.
  explicit LinearRegression(const optim::SGDOptions& options);

  /// X (N, features) → (N, 1).
  Tensor forward(const Tensor& X) override;
  /// The mean of (prediction − y)², a tensor of one element; both (N, 1).
  Tensor loss(const Tensor& prediction, const Tensor& y) override;
  /// SGD of the parameters, with the given options.
  std::unique_ptr<optim::Optimizer> configure_optimizers() override;

  nn::LazyLinear net{1};  ///< w and b; the first batch gives the number of features

 private:
  optim::SGDOptions options_;
};

}  // namespace d2l
