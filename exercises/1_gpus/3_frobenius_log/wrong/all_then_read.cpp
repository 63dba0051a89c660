// SPDX-License-Identifier: MIT
// Issues all products first and reads their norms one by one afterwards, so nothing is logged while it runs.
// Fails: each: 1 product issued and 0 norms read
// Needs: 1
#include "correct_log_at_end.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  std::vector<Tensor> norms;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) norms.push_back(left[i].mm(right[j]).norm());
  }
  std::vector<float> log;
  for (const Tensor& norm : norms) log.push_back(norm.item<float>());
  return log;
}
