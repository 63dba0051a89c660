// SPDX-License-Identifier: MIT
// Reads every norm in both functions: the second only puts them in another kind of list.
// Fails: at_end: 1000 copies from device to host
// Fails: waits: 1000 waits for the device
// Needs: 1
#include "exercise.h"

using namespace d2l;

std::vector<float> log_each(const Tensor& left, const Tensor& right) {
  std::vector<float> log;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log.push_back(left[i].mm(right[j]).norm().item<float>());
  }
  return log;
}

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) { return log_each(left, right); }
