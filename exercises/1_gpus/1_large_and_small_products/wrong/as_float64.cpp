// SPDX-License-Identifier: MIT
// Computes in float64, to be exact. That takes twice as long, or many times on a card.
// Fails: device: a product of torch.float64
#include "steps.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  return seconds_in_steps(A.to(kDouble), B.to(kDouble), device, {});
}
