// SPDX-License-Identifier: MIT
// Multiplies random matrices of its own, because only the sizes seem to matter.
// Fails: device: the operation
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = rand(A.sizes(), device);
  const Tensor b = rand(B.sizes(), device);
  return measure([&] { static_cast<void>(a.mm(b)); }, {.minimum_seconds = 0.02, .maximum_seconds = 0.2}).median;
}
