// SPDX-License-Identifier: MIT
// A float16 holds no more than 65504, so the loss becomes float32 before the product.
// The product is an operation with a gradient, and so backward() begins with the scale.
//
// Each gradient tells on the device whether all of its elements are finite. stack()
// joins these answers there, and one number of them goes to the host. Until it is
// known, no weight may change: a later gradient may be the one that is not finite.
//
// A gradient divided by the scale may be as small as 1e-12. So it becomes float32
// first.
#include <algorithm>

#include "exercise.h"

using namespace d2l;

Tensor scaled_loss(const Tensor& loss, const LossScale& state) {
  return loss.to(kFloat) * state.scale;
}

bool scaled_step(std::vector<Tensor>& weights, const std::vector<Tensor>& gradients,
                 double learning_rate, LossScale& state) {
  std::vector<Tensor> finite;
  for (const Tensor& gradient : gradients) {
    if (gradient.defined()) finite.push_back(gradient.isfinite().all());
  }
  if (!stack(finite).all().item<bool>()) {
    state.scale = std::max(1.0, state.scale / 2);
    state.good_steps = 0;
    return false;
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!gradients[i].defined()) continue;
    const Tensor gradient = gradients[i].to(kFloat);
    weights[i].sub_(gradient * (learning_rate / state.scale));
  }
  ++state.good_steps;
  if (state.good_steps == state.interval) {
    state.scale *= 2;
    state.good_steps = 0;
  }
  return true;
}
