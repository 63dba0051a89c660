// SPDX-License-Identifier: MIT
// Warms up, but starts the clock while the device is still busy with the warm-up and with earlier work.
// Fails: earlier: no product was done before the clock started
// Fails: warm: no product was done before the clock started
// May fail: finished
// May fail: copies
// May fail: one
// Needs: 1
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  return seconds_in_steps(A, B, device, {.wait_before = do_not_wait});
}
