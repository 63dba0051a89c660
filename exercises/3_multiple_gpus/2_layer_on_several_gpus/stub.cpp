// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

Tensor split_layers(const Tensor& x, const std::vector<Tensor>& W1,
                    const std::vector<Tensor>& W2) {
  // TODO: this uses the first part alone, computes in main memory, and has no
  // gradients.
  return relu(x.detach().cpu().mm(W1.front().detach().cpu()))
      .mm(W2.front().detach().cpu());
}
