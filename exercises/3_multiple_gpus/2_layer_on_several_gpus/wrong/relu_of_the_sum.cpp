// SPDX-License-Identifier: MIT
// Adds the parts up before the ReLU, which must see each hidden value.
// Fails: result: off by
// Fails: gradients: off by
// May fail: forward
// May fail: backward
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  Tensor result;
  for (std::size_t i = 0; i < W1.size(); ++i) {
    const Tensor part = x.to(W1[i].device()).mm(W1[i]).mm(W2[i]).to(x.device());
    result = result.defined() ? result + part : part;
  }
  return relu(result);
}
