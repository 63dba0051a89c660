// SPDX-License-Identifier: MIT
// The options of a new tensor say everything at once, and that is the reason to use them: the values are written in
// their last dtype, so nothing is rounded twice and nothing crosses that the result does not need, and they land in the
// memory where they stay. Whether the device is there is asked before, not found out by an exception: try_gpu() makes
// the same program run on every computer. It knows GPUs alone, and the CPU is always there.
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  const Device device = wanted.is_cpu() ? wanted : try_gpu(wanted.index());
  return tensor(values, TensorOptions(dtype).device(device));
}
