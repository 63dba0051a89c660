// SPDX-License-Identifier: MIT
// Multiplies in the other order: right times left has another norm.
// Fails: norms_each: off by
// Fails: norms_end: off by
#include "exercise.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  std::vector<float> log;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log.push_back(right[j].mm(left[i]).norm().item<float>());
  }
  return log;
}

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(right[j].mm(left[i]).norm());
  }
  return log.to_vector<float>();
}
