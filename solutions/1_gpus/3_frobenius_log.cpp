// SPDX-License-Identifier: MIT
// Both functions order the same products and the same norms. What differs is when a number is looked at.
//
// `log_each` looks at each. Every look is a copy of four bytes, and before it the host waits until the device has come
// that far; then the device has nothing to do until the host has ordered the next product. The two take turns, 1000
// times, and neither does what it could.
//
// `log_at_end` never looks. The host runs ahead and fills the queue, the device works through it without a gap, and the
// norms go where the next reader will be: into one tensor, of which element k is number k of the log. `copy_` between
// two tensors of a device is an operation like any other and crosses nothing. The one copy in the end pays the price of
// a copy once, and waits once. The log costs 4000 bytes on the device, which is the whole price of being fast.
#include "exercise.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  std::vector<float> log;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) {
      log.push_back(left[i].mm(right[j]).norm().item<float>());
    }
  }
  return log;
}

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) {
      log[i][j].copy_(left[i].mm(right[j]).norm());
    }
  }
  return log.to_vector<float>();
}
