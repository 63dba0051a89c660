// SPDX-License-Identifier: MIT
// Reads an element to make sure that the product is finished. It is finished then, but the copy is timed too.
// Fails: copies: it includes a copy, which the check slowed down
// May fail: one
// Needs: 1
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const auto read = [](const Tensor& a, const Tensor& b) { static_cast<void>(a.mm(b)[0][0].item<float>()); };
  return seconds_in_steps(A, B, device,
                          {.warm_up = read, .wait_before = do_not_wait, .timed = read, .wait_after = do_not_wait});
}
