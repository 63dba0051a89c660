// SPDX-License-Identifier: MIT
// Always measures the first GPU, whatever device is requested.
// Fails: device: a product on cuda:0
// May fail: finished
// May fail: warm
// May fail: one
// May fail: earlier
// May fail: copies
// Needs: 1
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device /*device*/) {
  const Tensor a = A.cuda();
  const Tensor b = B.cuda();
  return measure([&] { static_cast<void>(a.mm(b)); }, {.maximum_seconds = 0.1}).median;
}
