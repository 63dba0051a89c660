// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  static_cast<void>(A);
  static_cast<void>(B);
  static_cast<void>(device);
  // TODO: copy A and B to the device, compute one product without the clock, and time
  // another one.
  return 0;
}
