// SPDX-License-Identifier: MIT
// Adds on the GPU. But an `if` that compares two tensors reads the answer, and waits for it.
// Fails: waits: a wait for cuda
// Fails: copies: copies between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  Tensor best = step(0);
  Tensor mean = best / count;
  for (int i = 1; i < count; ++i) {
    const Tensor loss = step(i);
    mean = mean + loss / count;
    if (loss < best) best = loss;
  }
  const auto values = stack({mean, best}).to_vector<float>();
  return {values[0], values[1]};
}
