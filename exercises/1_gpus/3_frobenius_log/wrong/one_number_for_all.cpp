// SPDX-License-Identifier: MIT
// Computes one number from all products and returns it 1000 times.
// Fails: norms_end: off by
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor norms = left.unsqueeze(1).matmul(right).norm(2, {1, 2, 3});
  return norms.unsqueeze(1).expand({left.size(0), right.size(0)}).to_vector<float>();
}
