// SPDX-License-Identifier: MIT
// Brings the products over and takes their norms on the CPU: right numbers, 10000 times the bytes.
// Fails: at_end: copies from device to host
// Fails: waits: waits for the device
// Fails: device: operations on the CPU
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

std::vector<float> log_at_end(const Tensor& left, const Tensor& right) {
  const Tensor log = empty({left.size(0), right.size(0)});
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(left[i].mm(right[j]).cpu().norm());
  }
  return log.to_vector<float>();
}
