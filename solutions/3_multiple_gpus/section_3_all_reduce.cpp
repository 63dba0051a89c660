// SPDX-License-Identifier: MIT
// The first device collects and sends back. += and copy_() write into the memory that is there, so the caller's tensors
// have the sum. Each device has a queue, so the copies back wait for the additions by themselves, and the host for
// nothing. A tensor on the first device is added without a copy, because to() returns the tensor itself.
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  for (std::size_t i = 1; i < data.size(); ++i) data[0] += data[i].to(data[0].device());
  for (std::size_t i = 1; i < data.size(); ++i) data[i].copy_(data[0]);
}
