// SPDX-License-Identifier: MIT
// Looks only whether the part before is on the same device: x goes there again when another device was in between.
// Fails: forward: bytes
// Fails: backward: bytes
// Needs: 2
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  std::vector<Tensor> inputs;
  std::vector<Tensor> sums;  // of the parts on a device
  for (std::size_t i = 0; i < W1.size(); ++i) {
    const bool stays = i > 0 && W1[i].device() == W1[i - 1].device();
    const std::size_t place = stays ? inputs.size() - 1 : inputs.size();
    if (!stays) {
      inputs.push_back(x.to(W1[i].device()));
      sums.emplace_back();
    }
    const Tensor part = relu(inputs[place].mm(W1[i])).mm(W2[i]);
    sums[place] = sums[place].defined() ? sums[place] + part : part;
  }
  Tensor result;
  for (const Tensor& sum : sums) result = result.defined() ? result + sum.to(x.device()) : sum.to(x.device());
  return result;
}
