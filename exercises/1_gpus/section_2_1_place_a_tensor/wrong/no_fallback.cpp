// SPDX-License-Identifier: MIT
// Keeps the digits, but does not check that the device exists.
// Fails: fallback: the function threw
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  return tensor(values, TensorOptions(dtype).device(wanted));
}
