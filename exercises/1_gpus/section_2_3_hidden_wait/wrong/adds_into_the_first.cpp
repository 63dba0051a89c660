// SPDX-License-Identifier: MIT
// Adds each loss into the first one, to save memory. The first loss belongs to the caller.
// Fails: values: off by
// May fail: large
#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  Tensor sum = step(0);
  std::vector<Tensor> losses{sum.clone()};
  sum /= count;
  for (int i = 1; i < count; ++i) {
    losses.push_back(step(i));
    sum += losses.back() / count;
  }
  const auto values = stack({sum, stack(losses).min()}).to_vector<float>();
  return {values[0], values[1]};
}
