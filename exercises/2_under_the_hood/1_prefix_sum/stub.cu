// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

Tensor prefix_sum(const Tensor& x) {
  Tensor result = empty(x.sizes(), x.options());
  // TODO: return the prefix sums of x, computed by many blocks.
  return result.copy_(x);
}
