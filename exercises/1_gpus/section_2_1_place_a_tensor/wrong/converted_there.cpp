// SPDX-License-Identifier: MIT
// Keeps all digits by sending float64, and converts on the GPU: float32 values are copied with twice their bytes.
// Fails: crossing: bytes copied between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  const bool there = wanted.is_cuda() && wanted.index() < num_gpus();
  return tensor(values, TensorOptions(kDouble).device(there ? wanted : cpu())).to(dtype);
}
