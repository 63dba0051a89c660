// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

void all_reduce(std::vector<Tensor>& data) {
  // TODO: this is correct for two tensors only.
  const Tensor sum = data.front() + data.back().to(data.front().device());
  data.front().copy_(sum);
  data.back().copy_(sum);
}
