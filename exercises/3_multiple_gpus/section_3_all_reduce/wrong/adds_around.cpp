// SPDX-License-Identifier: MIT
// Adds each tensor to the next one, and so on around: only the last one has the sum.
// Fails: sum: off by
// May fail: copies
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  for (std::size_t i = 1; i < data.size(); ++i) data[i] += data[i - 1].to(data[i].device());
  for (std::size_t i = 1; i + 1 < data.size(); ++i) data[i - 1].copy_(data.back());
}
