// SPDX-License-Identifier: MIT
// Orders all products first and reads their norms one by one afterwards: it is no log while it goes on.
// Fails: each: 1 products ordered and 0 norms read
// Needs: 1
#include "exercise.h"

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

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(left[i].mm(right[j]).norm());
  }
  return log.to_vector<float>();
}
