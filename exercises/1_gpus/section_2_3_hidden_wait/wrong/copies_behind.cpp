// SPDX-License-Identifier: MIT
// Copies each loss to the host with non_blocking: nothing waits, but there is one copy per step.
// Fails: copies: copies between devices
// Needs: 1
#include <algorithm>

#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) losses.push_back(step(i).to(cpu(), /*non_blocking=*/true));
  const auto values = stack(losses).to_vector<float>();
  float mean = 0;
  for (const float loss : values) mean += loss / static_cast<float>(count);
  return {mean, *std::min_element(values.begin(), values.end())};
}
