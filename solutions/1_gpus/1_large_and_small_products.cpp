// SPDX-License-Identifier: MIT
// A correct time includes the work that it claims to measure, and nothing else. Three
// things stay outside: the copies of the operands, the first product with its one-time
// costs, and earlier work of the device. One thing must be inside: the end of the
// product, not only its launch.
//
// `measure` does most of this. It warms up, waits for every device before it starts and
// before it stops the clock, and repeats work that is too short for a clock. It returns
// the median. Unlike the mean, the median is hardly affected when the operating system
// interrupts the program now and then. Unlike the minimum, it hardly changes from one
// measurement to the next. We only have to copy the operands first, so that the copies
// are not timed.
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  const auto product = [&] { static_cast<void>(a.mm(b)); };
  return measure(product, {.minimum_seconds = 0.02, .maximum_seconds = 0.2}).median;
}
