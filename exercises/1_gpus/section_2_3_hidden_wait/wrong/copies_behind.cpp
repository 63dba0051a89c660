// SPDX-License-Identifier: MIT
// Lets each loss follow to the host without a wait, non_blocking: nothing waits, and there is a copy a step.
// Fails: copies: copies between devices
// Needs: 1
#include <algorithm>

#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) losses.push_back(step(i).to(cpu(), /*non_blocking=*/true));
  const auto told = stack(losses).to_vector<float>();
  float sum = 0;
  for (const float loss : told) sum += loss;
  return {sum / static_cast<float>(count), *std::min_element(told.begin(), told.end())};
}
