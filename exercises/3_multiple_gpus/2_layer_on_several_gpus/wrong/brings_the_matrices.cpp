// SPDX-License-Identifier: MIT
// Brings all matrices to the device of x. They did not fit there.
// Fails: forward: bytes
// Fails: backward: bytes
// Needs: 2
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1, const std::vector<Tensor>& W2) {
  std::vector<Tensor> columns;
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i < W1.size(); ++i) {
    columns.push_back(W1[i].to(x.device()));
    rows.push_back(W2[i].to(x.device()));
  }
  return relu(x.mm(cat(columns, 1))).mm(cat(rows, 0));
}
