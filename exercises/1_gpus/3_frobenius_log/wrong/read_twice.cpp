// SPDX-License-Identifier: MIT
// Reads each norm once to test it and once to log it.
// Fails: each: 2000 copies from device to host
// Needs: 1
#include "correct_log_at_end.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  std::vector<float> log;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) {
      const Tensor norm = left[i].mm(right[j]).norm();
      if (norm > 0) log.push_back(norm.item<float>());
    }
  }
  return log;
}
