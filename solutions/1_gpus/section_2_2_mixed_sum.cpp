// SPDX-License-Identifier: MIT
// A copy has a fixed cost and a cost per byte. So decide what has to be copied before
// you copy anything. Two operands on the same device are added there without a copy,
// and at most their sum is copied. Two operands on different devices need one copy. We
// copy the operand that is on the wrong device before the sum, while it still has its
// own size, and not the sum, which is broadcast to the larger shape. If a tensor is
// already on the device, to() returns it unchanged, so we need no special case.
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) {
  if (a.device() == b.device()) return (a + b).to(device);
  return a.to(device) + b.to(device);
}
