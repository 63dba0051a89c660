// SPDX-License-Identifier: MIT
// Finds the device, but makes a float32 tensor before it converts: float32 has seven digits.
// Fails: values: .
// Fails: fallback: .
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  const bool there = wanted.is_cuda() && wanted.index() < num_gpus();
  return tensor(values).to(there ? wanted : cpu(), dtype);
}
