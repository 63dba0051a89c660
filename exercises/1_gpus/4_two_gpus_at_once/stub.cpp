// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

TimedProducts multiply_at_once(const std::vector<Tensor>& A,
                               const std::vector<Tensor>& B,
                               const std::vector<Device>& devices) {
  TimedProducts result;
  result.products.reserve(A.size());
  static_cast<void>(B);
  static_cast<void>(devices);
  // TODO: copy the operands to their devices and wait. Then start the clock, issue all
  // products, wait, stop the clock.
  return result;
}
