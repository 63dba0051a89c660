// SPDX-License-Identifier: MIT
// Keeps the log in main memory: each norm that is written into it is copied to the host.
// Fails: at_end: 1000 copies from device to host
// Fails: waits: 1000 waits for the device
// Needs: 1
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)});
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(left[i].mm(right[j]).norm());
  }
  return log.to_vector<float>();
}
