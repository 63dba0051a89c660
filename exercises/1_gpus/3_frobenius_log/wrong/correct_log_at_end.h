// SPDX-License-Identifier: MIT
// The correct log_at_end, for wrong solutions whose mistake is in log_each.
#pragma once

#include "exercise.h"

std::vector<float> log_at_end(const d2l::Tensor& left, const d2l::Tensor& right) {
  const d2l::Tensor log = d2l::empty({left.size(0), right.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(left[i].mm(right[j]).norm());
  }
  return log.to_vector<float>();
}
