// SPDX-License-Identifier: MIT
// copy_to() instead of to(): it copies even what is in its place already, which no count of crossings shows.
// Fails: copies: copies within a device
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) {
  if (a.device() == b.device()) return (a + b).copy_to(device);
  return a.copy_to(device) + b.copy_to(device);
}
