// SPDX-License-Identifier: MIT
// LinearRegression: the smallest model there is.
#pragma once

#include <memory>

#include "d2l/model.h"
#include "d2l/nn/linear.h"

namespace d2l {

/// X (N, features) → Xw + b (N, 1), trained by the mean squared error and stochastic gradient descent.
class LinearRegression : public Model {
 public:
  explicit LinearRegression(const optim::SGDOptions& options);

  Tensor forward(const Tensor& X) override { return net(X); }
  Tensor loss(const Tensor& prediction, const Tensor& y) override;
  std::unique_ptr<optim::Optimizer> configure_optimizers() override;

  nn::LazyLinear net{1};

 private:
  optim::SGDOptions options_;
};

}  // namespace d2l
