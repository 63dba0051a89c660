// SPDX-License-Identifier: MIT
// Waits for nothing in the loop, and reads the two results one after the other.
// Fails: copies: 2 copies between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) losses.push_back(step(i));
  const Tensor all = stack(losses);
  return {all.mean().item<float>(), all.min().item<float>()};
}
