// SPDX-License-Identifier: MIT
// Squeezes the products of one left matrix with all right ones: a stack of one matrix loses its first dimension too.
// Fails: norms_end: the function threw
// May fail: at_end
// May fail: waits
// May fail: device
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  std::vector<Tensor> norms;
  for (std::int64_t i = 0; i < left.size(0); ++i) norms.push_back(left[i].matmul(right).squeeze().norm(2, {1, 2}));
  return stack(norms).to_vector<float>();
}
