// SPDX-License-Identifier: MIT
// Begins the search for the smallest loss at the second one, because the first is used to begin it.
// Fails: values: off by
// May fail: large
#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) losses.push_back(step(i));
  const Tensor all = stack(losses);
  const Tensor later = count > 1 ? all.slice(0, 1) : all;
  const auto values = stack({all.mean(), later.min()}).to_vector<float>();
  return {values[0], values[1]};
}
