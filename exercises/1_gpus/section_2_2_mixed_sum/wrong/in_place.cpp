// SPDX-License-Identifier: MIT
// Saves the memory of a result by adding into the larger operand, which the caller still needs.
// Fails: operands: .
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) {
  if (a.device() == b.device()) return (a + b).to(device);
  Tensor sum = a.numel() > b.numel() ? a.to(device) : b.to(device);
  sum += a.numel() > b.numel() ? b.to(device) : a.to(device);
  return sum;
}
