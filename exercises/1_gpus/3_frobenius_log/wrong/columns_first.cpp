// SPDX-License-Identifier: MIT
// Lets the first index change fastest: all norms are there, but most of them in the wrong place.
// Fails: norms_end: off by
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({right.size(0), left.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[j][i].copy_(left[i].mm(right[j]).norm());
  }
  return log.to_vector<float>();
}
