// SPDX-License-Identifier: MIT
// Adds 1 to each product, so the results are wrong.
// Fails: products: off by
// May fail: places
#include "steps.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A, const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  return multiply_in_steps(
      A, B, devices, {.multiply = [](const Tensor& a, const Tensor& b, Device /*device*/) { return a.mm(b).add(1); }});
}
