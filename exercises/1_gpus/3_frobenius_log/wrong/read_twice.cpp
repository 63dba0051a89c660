// SPDX-License-Identifier: MIT
// Looks at each norm once to test it and once to log it.
// Fails: each: 2000 copies from device to host
// Needs: 1
#include "exercise.h"

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

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(left[i].mm(right[j]).norm());
  }
  return log.to_vector<float>();
}
