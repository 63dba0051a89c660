// SPDX-License-Identifier: MIT
// Waits after every product, to be sure that it is finished. The copy at the end waits for all of them anyway.
// Fails: waits: 1001 waits for the device
// Needs: 1
#include "correct_log_each.h"

using namespace d2l;

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  return read_at_end(left, right, left.device(), [](const Tensor& a, const Tensor& b) {
    Tensor norm = norm_of_product(a, b);
    synchronize(norm.device());
    return norm;
  });
}
