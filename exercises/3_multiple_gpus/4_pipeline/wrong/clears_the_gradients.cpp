// SPDX-License-Identifier: MIT
// Removes the gradients that were there, as for a step of training. Here they are added up.
// Fails: gradients: off by
#include <algorithm>

#include "exercise.h"

using namespace d2l;

std::vector<Task> tasks_of(int stage, int stages, int batches) {
  const int in_advance = std::min(batches, stages - stage - 1);
  std::vector<Task> tasks;
  int next = 0;
  while (next < in_advance) tasks.push_back({false, next++});
  for (int batch = 0; batch < batches; ++batch) {
    if (next < batches) tasks.push_back({false, next++});
    tasks.push_back({true, batch});
  }
  return tasks;
}

Tensor pipeline_step(const Tensor& x, const Tensor& y, const std::vector<Tensor>& W, int batches) {
  const auto inputs = x.chunk(batches);
  const auto targets = y.chunk(batches);
  for (const Tensor& one : W) Tensor(one).mutable_grad() = Tensor();
  Tensor loss;
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    Tensor h = inputs[j];
    for (std::size_t i = 0; i < W.size(); ++i) {
      h = h.to(W[i].device()).mm(W[i]);
      if (i + 1 < W.size()) h = tanh(h);
    }
    const double share = static_cast<double>(inputs[j].size(0)) / static_cast<double>(x.size(0));
    const Tensor part = mse_loss(h, targets[j]) * share;
    loss = loss.defined() ? loss + part : part;
  }
  loss.backward();
  return loss.detach();
}
