// SPDX-License-Identifier: MIT
// The host does not need a loss that it does not read, so the loop only keeps handles.
// A Tensor is a handle, and the GPU computes its value later. So the queue always has a
// next step in it. The mean and the minimum are computed on the device of the losses,
// and both numbers are copied together: the fixed cost of a copy is larger than its
// cost per byte, and each copy is a wait. The minimum is computed from all losses, so
// there is no first guess that could be wrong.
#include "exercise.h"

using namespace d2l;

Epoch run_epoch(const std::function<Tensor(int)>& step, int count) {
  std::vector<Tensor> losses;
  for (int i = 0; i < count; ++i) losses.push_back(step(i));
  const Tensor all = stack(losses);
  const auto values = stack({all.mean(), all.min()})
                          .to_vector<float>();  // the one copy, and the one wait
  return {values[0], values[1]};
}
