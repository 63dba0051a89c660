// SPDX-License-Identifier: MIT
// Stops one part too early.
// Fails: result: off by
// Fails: gradients: there is no result
// May fail: forward
// May fail: backward
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  Tensor result = relu(x.to(W1[0].device()).mm(W1[0])).mm(W2[0]).to(x.device());
  for (std::size_t i = 1; i + 1 < W1.size(); ++i) {
    result = result + relu(x.to(W1[i].device()).mm(W1[i])).mm(W2[i]).to(x.device());
  }
  return result;
}
