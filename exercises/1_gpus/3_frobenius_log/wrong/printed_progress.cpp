// SPDX-License-Identifier: MIT
// Prints its progress, which reads a norm now and then.
// Fails: at_end: copies from device to host
// Fails: waits: waits for the device
// Needs: 1
#include <iostream>

#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(left[i].mm(right[j]).norm());
    std::clog << "\rrow " << i << " begins with " << log[i][0];
  }
  return log.to_vector<float>();
}
