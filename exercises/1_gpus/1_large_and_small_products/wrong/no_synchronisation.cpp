// SPDX-License-Identifier: MIT
// Starts the clock correctly, but stops it when the product has only been issued.
// Fails: finished: the clock was read before the product was finished
// Needs: 1
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  return seconds_in_steps(A, B, device, {.wait_after = do_not_wait});
}
