// SPDX-License-Identifier: MIT
// Waits for the device, but one line too late. It times ten products, so that the time is long enough to measure.
// Fails: finished: the clock was read before the product was finished
// Needs: 1
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const double seconds = seconds_in_steps(A, B, device, {.timed = multiply_ten_times, .wait_after = do_not_wait});
  synchronize(device);
  return seconds / 10;
}
