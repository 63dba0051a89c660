// SPDX-License-Identifier: MIT
// Adds the parts up in main memory, which all devices reach.
// Fails: forward: bytes
// Fails: backward: bytes
// May fail: host
// Needs: 2
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  Tensor result;
  for (std::size_t i = 0; i < W1.size(); ++i) {
    const Tensor part = relu(x.to(W1[i].device()).mm(W1[i])).mm(W2[i]).cpu();
    result = result.defined() ? result + part : part;
  }
  return result.to(x.device());
}
