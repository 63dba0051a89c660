// SPDX-License-Identifier: MIT
// Brings the hidden values to the device of x, and the second matrices, too.
// Fails: forward: bytes
// Fails: backward: bytes
// Needs: 2
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  std::vector<Tensor> hidden;
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i < W1.size(); ++i) {
    hidden.push_back(relu(x.to(W1[i].device()).mm(W1[i])).to(x.device()));
    rows.push_back(W2[i].to(x.device()));
  }
  return cat(hidden, 1).mm(cat(rows, 0));
}
