// SPDX-License-Identifier: MIT
// A time is honest when it holds what it claims to hold and nothing else. Three things stand outside the clock here:
// the copies of the operands, which are made first; the first product, which pays for what happens once; and whatever
// the device was busy with. One thing has to be inside: the end of the work, and not just its order.
//
// `measure` does most of that: it warms up, waits for every device before the clock starts and before it stops, and
// repeats what is too short for a clock. The median, unlike the mean, does not mind that the operating system took the
// processor away now and then; unlike the least time, it can be reached again tomorrow. What is left to us is to have
// the operands in place before, so that the copies are not measured.
#include "exercise.h"

using namespace d2l;

double seconds_of_product(const Tensor& A, const Tensor& B, Device device) {
  const Tensor a = A.to(device);
  const Tensor b = B.to(device);
  const auto product = [&] { static_cast<void>(a.mm(b)); };
  return measure(product, {.minimum_seconds = 0.02, .maximum_seconds = 0.2}).median;
}
