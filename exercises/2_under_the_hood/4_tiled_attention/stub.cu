// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

// TODO: a kernel that goes over tiles of the keys and values.

Tensor attention(const Tensor& q, const Tensor& /*k*/, const Tensor& /*v*/) {
  // TODO: launch it.
  return zeros(q.sizes(), q.options());
}
