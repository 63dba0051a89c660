// SPDX-License-Identifier: MIT
// Both functions issue the same products and the same norms. The difference is when a
// number is read.
//
// `log_each` reads each norm at once. Every read copies four bytes, and before it the
// host waits until the device has computed them. Then the device is idle until the host
// has issued the next product. Host and device take turns 1000 times, and neither is
// ever fully busy.
//
// `log_at_end` reads nothing until the end. The host runs ahead and fills the queue,
// and the device works through it without a gap. Each norm is written into one tensor
// on the device: element k is number k of the log. `copy_` between two tensors on the
// same device is an ordinary operation and copies nothing between devices. The one copy
// at the end pays the fixed cost of a copy once, and waits once. The price is 4000
// bytes of memory on the device.
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
