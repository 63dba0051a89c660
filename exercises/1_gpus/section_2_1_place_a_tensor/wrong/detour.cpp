// SPDX-License-Identifier: MIT
// Makes everything on the first GPU, "the fast one", and moves it from there.
// Fails: crossing: 2 copies between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  const bool there = wanted.is_cpu() || wanted.index() < num_gpus();
  return tensor(values, TensorOptions(dtype).device(try_gpu())).to(there ? wanted : cpu());
}
