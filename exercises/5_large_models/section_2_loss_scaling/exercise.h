// SPDX-License-Identifier: MIT
// # Loss scaling by hand
//
// `GradScaler` keeps small float16 gradients from vanishing. Write what it does, and do
// not use it.
//
// A `LossScale` has the scale and what decides when it changes. Before `backward()`, a
// program calls `scaled_loss`. What must hold:
//
// - The result is the loss times the scale, in float32, also if the loss is float16 and
//   the product is larger than a float16 can be. It has one element, as the loss has.
// - `backward()` of the result gives the gradients of the loss times the scale.
//
// After `backward()` it calls `scaled_step` with the master weights, which are float32
// and do not require gradients, and the gradients: one for each weight, float16,
// of the same shape, all on one device. A gradient may be undefined, because the loss
// does not depend on its weight. At least one is defined. What must hold:
//
// - If all elements of all gradients are finite, each weight with a gradient becomes
//   weight - learning_rate * gradient / scale. This is computed in float32. The tensors
//   are changed in place. The other weights do not change. The result is true.
// - If an element is infinite, of either sign, or NaN, no weight changes. The result is
//   false.
// - `good_steps` is the number of steps in a row that changed the weights. When it has
//   reached `interval`, the scale doubles and `good_steps` is 0 again. A step that is
//   left out halves the scale, but never to less than 1, and sets `good_steps` to 0.
// - A step uses the scale with which the loss was multiplied. It changes afterwards.
// - The result depends on numbers that are on the GPU, so a step waits for the GPU
// once.
//   It makes one copy to the host, of at most 8 bytes, however many gradients there
//   are, and copies nothing to the device.
//
// The check makes steps with 1 to 40 weights of up to 2000 elements: with gradients
// that are small (6e-8), large (65504) and not finite in one element of one of them,
// and many steps one after another.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The factor of the loss, and when it changes.
struct LossScale {
  double scale = 65536;  ///< at least 1
  int interval = 2000;   ///< steps in a row after which the scale doubles, at least 1
  int good_steps = 0;    ///< steps in a row that changed the weights
};

/// The loss times the scale, for backward().
d2l::Tensor scaled_loss(const d2l::Tensor& loss, const LossScale& state);
/// Changes the weights and the scale. Whether the weights have changed.
bool scaled_step(std::vector<d2l::Tensor>& weights,
                 const std::vector<d2l::Tensor>& gradients, double learning_rate,
                 LossScale& state);
