// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

void compute_gradients(const std::vector<Tensor>& x, const std::vector<Tensor>& y,
                       const std::vector<Parameters>& copies) {
  // TODO: this is for one GPU, and for one step.
  const auto& [W, b] = copies.front();
  const Tensor loss = mse_loss(x.front().mm(W) + b, y.front());
  if (loss.item<double>() > 0) loss.backward();
}
