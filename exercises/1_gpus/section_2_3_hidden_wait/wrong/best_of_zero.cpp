// SPDX-License-Identifier: MIT
// Copies all losses at once, but starts the search for the smallest at 0.
// Fails: values: 0
// May fail: large
// May fail: waits
#include <algorithm>

#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) losses.push_back(step(i));
  Epoch epoch;
  for (const float loss : stack(losses).to_vector<float>()) {
    epoch.mean += loss / static_cast<float>(count);
    epoch.best = std::min(epoch.best, loss);
  }
  return epoch;
}
