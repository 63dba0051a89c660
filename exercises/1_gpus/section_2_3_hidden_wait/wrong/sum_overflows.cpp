// SPDX-License-Identifier: MIT
// Adds up the losses in float32 and divides at the end. The sum of large losses is infinite.
// Fails: large: inf
#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) losses.push_back(step(i));
  const Tensor all = stack(losses);
  const auto values = stack({all.sum() / count, all.min()}).to_vector<float>();
  return {values[0], values[1]};
}
