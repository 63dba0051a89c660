// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

int straggler(const std::vector<double>& seconds) {
  // TODO: this names the rank itself if its first step was slow.
  return seconds.front() > 1 ? distributed::get_rank() : -2;
}

Tensor mean_of_punctual(const Tensor& gradient, bool in_time) {
  // TODO: this adds nothing from the other ranks.
  Tensor same = gradient;
  same.mul_(in_time ? 2 : 3);
  return same;
}
