// SPDX-License-Identifier: MIT
// Assigns new tensors, so that the tensors of the caller keep their numbers.
// Fails: sum: off by
// Fails: memory: another tensor
// May fail: copies
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  Tensor sum = data[0];
  for (std::size_t i = 1; i < data.size(); ++i) sum = sum + data[i].to(sum.device());
  for (Tensor& one : data) one = sum.to(one.device());
}
