// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

int straggler(const std::vector<double>& seconds) {
  // TODO: each rank takes itself for the slow one, if its first step was slow.
  return seconds.front() > 1 ? distributed::get_rank() : -2;
}

Tensor mean_of_punctual(const Tensor& gradient, bool in_time) {
  // TODO: a rank adds nothing of the others.
  Tensor same = gradient;
  same.mul_(in_time ? 2 : 3);
  return same;
}
