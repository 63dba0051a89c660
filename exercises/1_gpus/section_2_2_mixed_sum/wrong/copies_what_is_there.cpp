// SPDX-License-Identifier: MIT
// Uses copy_to() instead of to(): it also copies operands that are on the device already. Such a copy stays within the
// device.
// Fails: copies: within a device
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) {
  if (a.device() == b.device()) return (a + b).copy_to(device);
  return a.copy_to(device) + b.copy_to(device);
}
