// SPDX-License-Identifier: MIT
// Each device collects the tensors of all others: right, and k times as many copies into the devices.
// Fails: copies: copies between devices
// Needs: 2
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  std::vector<Tensor> sums;
  for (const Tensor& one : data) {
    Tensor sum = zeros_like(one);
    for (const Tensor& other : data) sum += other.to(one.device());
    sums.push_back(sum);
  }
  for (std::size_t i = 0; i < data.size(); ++i) data[i].copy_(sums[i]);
}
