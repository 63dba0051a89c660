// SPDX-License-Identifier: MIT
// Times ten products and counts the untimed one too, so the result is a tenth too short.
// Fails: finished: the time was divided by too many
// Needs: 1
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  return seconds_in_steps(A, B, device, {.timed = multiply_ten_times}) / 11;
}
