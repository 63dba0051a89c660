// SPDX-License-Identifier: MIT
// Copies the operands inside the measured code. For small products that is nearly all of the time.
// Fails: copies: it includes a copy, which the check slowed down
// May fail: one
// Needs: 1
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  return measure([&] { static_cast<void>(A.to(device).mm(B.to(device))); }, {.maximum_seconds = 0.1}).median;
}
