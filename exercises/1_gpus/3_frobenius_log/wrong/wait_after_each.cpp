// SPDX-License-Identifier: MIT
// Waits after every product, to be sure that it is finished. The copy at the end waits for all of them anyway.
// Fails: waits: 1001 waits for the device
// Needs: 1
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)}, left.device());
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) {
      log[i][j].copy_(left[i].mm(right[j]).norm());
      synchronize(left.device());
    }
  }
  return log.to_vector<float>();
}
