// SPDX-License-Identifier: MIT
// Starts at 0 and adds the first tensor to itself.
// Fails: sum: off by
// May fail: copies
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  for (std::size_t i = 0; i < data.size(); ++i) data[0] += data[i].to(data[0].device());
  for (std::size_t i = 1; i < data.size(); ++i) data[i].copy_(data[0]);
}
