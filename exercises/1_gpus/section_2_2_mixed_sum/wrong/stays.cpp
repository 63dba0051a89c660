// SPDX-License-Identifier: MIT
// Adds two operands on the same device there, and forgets to copy the result to the requested device.
// Fails: sum: in the memory of
// Fails: together: 0 copies between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) {
  return a.device() == b.device() ? a + b : a.to(device) + b.to(device);
}
