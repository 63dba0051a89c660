// SPDX-License-Identifier: MIT
// Adds in main memory, as section 3.2 does.
// Fails: host: to the host
// May fail: copies
// Needs: 1
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  Tensor sum = data[0].cpu().clone();
  for (std::size_t i = 1; i < data.size(); ++i) sum += data[i].cpu();
  for (Tensor& one : data) one.copy_(sum);
}
