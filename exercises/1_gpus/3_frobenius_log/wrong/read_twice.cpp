// SPDX-License-Identifier: MIT
// Reads each norm once to test it and once to log it.
// Fails: each: 2000 copies from device to host
// Needs: 1
#include "correct_log_at_end.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  return read_each(left, right, [](const Tensor& a, const Tensor& b) {
    Tensor norm = norm_of_product(a, b);
    static_cast<void>(norm.item<float>());
    return norm;
  });
}
