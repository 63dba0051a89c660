// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

Tensor scaled_loss(const Tensor& loss, const LossScale& /*state*/) {
  // TODO: multiply the loss.
  return loss;
}

bool scaled_step(std::vector<Tensor>& weights, const std::vector<Tensor>& gradients,
                 double learning_rate, LossScale& state) {
  // TODO: this knows nothing of the scale, and of gradients that are not finite.
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (gradients[i].defined()) weights[i].sub_(gradients[i] * learning_rate);
  }
  state.good_steps += 2;
  return state.scale < 0;
}
