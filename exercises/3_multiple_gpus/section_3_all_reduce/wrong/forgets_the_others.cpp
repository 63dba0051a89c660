// SPDX-License-Identifier: MIT
// Collects the sum and forgets to send it back.
// Fails: sum: off by
// May fail: copies
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  for (std::size_t i = 1; i < data.size(); ++i) data[0] += data[i].to(data[0].device());
}
