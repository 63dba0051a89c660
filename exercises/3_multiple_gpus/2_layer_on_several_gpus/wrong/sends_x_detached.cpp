// SPDX-License-Identifier: MIT
// Sends a copy of x without its history: the matrices have their gradients, and x has none.
// Fails: gradients: there is no result
// May fail: backward
// May fail: forward
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  Tensor result;
  for (std::size_t i = 0; i < W1.size(); ++i) {
    const Tensor part = relu(x.detach().to(W1[i].device()).mm(W1[i])).mm(W2[i]).to(x.device());
    result = result.defined() ? result + part : part;
  }
  return result;
}
