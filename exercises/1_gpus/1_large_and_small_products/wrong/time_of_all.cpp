// SPDX-License-Identifier: MIT
// Times ten products and forgets to divide by ten.
// Fails: one: times as much
// Fails: warm: times as much
// May fail: earlier
// May fail: copies
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  return seconds_in_steps(A, B, device, {.timed = multiply_ten_times});
}
