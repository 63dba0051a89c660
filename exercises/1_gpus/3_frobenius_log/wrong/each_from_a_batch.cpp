// SPDX-License-Identifier: MIT
// Computes all products at once, and then reads the norms one by one: the log begins when all the work is done.
// Fails: each: 1000 products issued at once
// Needs: 1
#include "correct_log_at_end.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  const Tensor norms = left.unsqueeze(1).matmul(right).norm(2, {2, 3}).reshape({-1});
  std::vector<float> log;
  for (std::int64_t i = 0; i < norms.size(0); ++i) log.push_back(norms[i].item<float>());
  return log;
}
