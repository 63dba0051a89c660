// SPDX-License-Identifier: MIT
// The schedule is known as "one forward, one backward" (1F1B). A stage computes as many
// forward passes in advance as there are stages after it, and from then on each
// backward pass frees what the next forward pass stores. All forward passes first would
// end as early, and store all micro-batches.
//
// The step issues all forward passes first, because this is what autograd makes simple:
// the losses are added up, and one backward() goes through all stages of all
// micro-batches. The queues of the devices do the rest.
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

Tensor pipeline_step(const Tensor& x, const Tensor& y, const std::vector<Tensor>& W,
                     int batches) {
  const auto inputs = x.chunk(batches);
  const auto targets = y.chunk(batches);
  Tensor loss;
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    Tensor h = inputs[j];
    for (std::size_t i = 0; i < W.size(); ++i) {
      h = h.to(W[i].device()).mm(W[i]);
      if (i + 1 < W.size()) h = tanh(h);
    }
    const double share =
        static_cast<double>(inputs[j].size(0)) / static_cast<double>(x.size(0));
    const Tensor part = mse_loss(h, targets[j]) * share;
    loss = loss.defined() ? loss + part : part;
  }
  loss.backward();
  return loss.detach();
}
