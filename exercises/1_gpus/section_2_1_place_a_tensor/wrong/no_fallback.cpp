// SPDX-License-Identifier: MIT
// Mends the digits and trusts the name of the device.
// Fails: fallback: the function threw
#include "exercise.h"

using namespace d2l;

Tensor place(const std::vector<double>& values, ScalarType dtype, Device wanted) {
  return tensor(values, TensorOptions(dtype).device(wanted));
}
