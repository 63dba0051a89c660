// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  static_cast<void>(A);
  static_cast<void>(B);
  static_cast<void>(device);
  // TODO: move A and B to the device, let it do one product that is not timed, and time one that is.
  return 0;
}
