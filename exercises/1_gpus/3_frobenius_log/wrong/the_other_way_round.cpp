// SPDX-License-Identifier: MIT
// Multiplies in the other order: right times left has another norm.
// Fails: norms_each: off by
// Fails: norms_end: off by
#include "logs.h"

using namespace d2l;

namespace {

Tensor norm_of_reverse(const Tensor& left, const Tensor& right) { return norm_of_product(right, left); }

}  // namespace

std::vector<float> log_each(const Tensor& left, const Tensor& right) { return read_each(left, right, norm_of_reverse); }

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  return read_at_end(left, right, left.device(), norm_of_reverse);
}
