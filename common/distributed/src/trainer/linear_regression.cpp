// SPDX-License-Identifier: MIT
#include "d2l/linear_regression.h"

#include "d2l/ops.h"

namespace d2l {

LinearRegression::LinearRegression(const optim::SGDOptions& options) : options_(options) {
  register_module("net", net);
}

Tensor LinearRegression::forward(const Tensor& X) { return net(X); }

Tensor LinearRegression::loss(const Tensor& prediction, const Tensor& y) { return mse_loss(prediction, y); }

std::unique_ptr<optim::Optimizer> LinearRegression::configure_optimizers() {
  return std::make_unique<optim::SGD>(parameters(), options_);
}

}  // namespace d2l
