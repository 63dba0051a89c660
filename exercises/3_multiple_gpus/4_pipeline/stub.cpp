// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

std::vector<Task> tasks_of(int stage, int stages, int batches) {
  // TODO: one micro-batch, and forward only.
  static_cast<void>(stage);
  static_cast<void>(stages);
  return {{false, batches - 1}};
}

Tensor pipeline_step(const Tensor& x, const Tensor& y, const std::vector<Tensor>& W,
                     int batches) {
  // TODO: this computes the first stage alone, and the host waits for it.
  static_cast<void>(batches);
  return (x.mm(W.front()).sum().item<float>() - y.cpu()).mean().detach();
}
