// SPDX-License-Identifier: MIT
// Copies nothing in the loop, but waits for the device after each step, "to be safe".
// Fails: waits: a wait for cuda
// Fails: copies: waits of the host
// Needs: 1
#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) {
    losses.push_back(step(i));
    synchronize(losses.back().device());
  }
  const Tensor all = stack(losses);
  const auto values = stack({all.mean(), all.min()}).to_vector<float>();
  return {values[0], values[1]};
}
