// SPDX-License-Identifier: MIT
// Does not wait in the loop, but reads the two results one after the other.
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
