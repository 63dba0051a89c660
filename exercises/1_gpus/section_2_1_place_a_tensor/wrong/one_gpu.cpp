// SPDX-License-Identifier: MIT
// Uses the first GPU for every GPU. On a computer with one card you do not see the difference.
// Fails: placed: in the memory of cuda:0
// Needs: 2
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  const bool there = wanted.is_cuda() && wanted.index() < num_gpus();
  return tensor(values, TensorOptions(dtype).device(there ? gpu() : cpu()));
}
