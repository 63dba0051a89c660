// SPDX-License-Identifier: MIT
// Adds the parts up on the device of the first one, and leaves the result there.
// Fails: result: in the memory of
// May fail: forward
// May fail: backward
// May fail: gradients
// Needs: 2
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  Tensor result;
  for (std::size_t i = 0; i < W1.size(); ++i) {
    const Tensor part = relu(x.to(W1[i].device()).mm(W1[i])).mm(W2[i]).to(W1.front().device());
    result = result.defined() ? result + part : part;
  }
  return result;
}
