// SPDX-License-Identifier: MIT
// Makes one number of all products and says it 1000 times.
// Fails: norms_end: off by
#include "exercise.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  std::vector<float> log;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log.push_back(left[i].mm(right[j]).norm().item<float>());
  }
  return log;
}

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor norms = left.unsqueeze(1).matmul(right).norm(2, {1, 2, 3});
  return norms.unsqueeze(1).expand({left.size(0), right.size(0)}).to_vector<float>();
}
