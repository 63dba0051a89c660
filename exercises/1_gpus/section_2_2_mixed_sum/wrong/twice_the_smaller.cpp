// SPDX-License-Identifier: MIT
// Tells the matrix from the row by their dimensions. If these are equal, it takes the second operand for both.
// Fails: sum: off by
// May fail: copies
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) {
  const Tensor& larger = a.dim() > b.dim() ? a : b;
  const Tensor& smaller = a.dim() < b.dim() ? a : b;
  if (a.device() == b.device()) return (larger + smaller).to(device);
  return larger.to(device) + smaller.to(device);
}
