// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

Mlp part_of(const Mlp& whole) {
  // TODO: this keeps everything, on every rank.
  return whole;
}

Tensor forward(const Tensor& x, const Mlp& part) {
  // TODO: this is the term of one rank, without its biases.
  return tanh(x.mm(part.W1)).mm(part.W2);
}
