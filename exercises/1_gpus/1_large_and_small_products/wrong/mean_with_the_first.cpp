// SPDX-License-Identifier: MIT
// Includes the slow first product in a mean of ten, which does not make up for it.
// Fails: warm: it includes the first product, which the check slowed down
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  constexpr int products = 10;
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  double sum = 0;
  for (int i = 0; i < products; ++i)
    sum += seconds_in_steps(a, b, device, {.warm_up = [](const Tensor& /*a*/, const Tensor& /*b*/) {}});
  return sum / products;
}
