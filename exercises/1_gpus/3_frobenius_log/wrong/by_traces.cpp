// SPDX-License-Identifier: MIT
// Computes the norms from traces, without the products: |L R|² is the sum of the elements of LᵀL times R Rᵀ.
// Fails: device: operations for
// Needs: 1
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor ours = left.transpose(1, 2).matmul(left).reshape({left.size(0), -1});
  const Tensor theirs = right.matmul(right.transpose(1, 2)).reshape({right.size(0), -1});
  return ours.matmul(theirs.t()).sqrt().to_vector<float>();
}
