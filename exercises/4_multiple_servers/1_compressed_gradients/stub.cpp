// SPDX-License-Identifier: MIT
#include <algorithm>

#include "exercise.h"

using namespace d2l;

Compressed compress(const Tensor& gradient, Tensor residual, std::int64_t k) {
  // TODO: this takes the first k numbers, and doubles them in the gradient.
  Tensor taken = gradient.narrow(0, 0, k);
  taken.mul_(2);
  residual.fill_(1);
  return {arange(k, kLong), taken};
}

Tensor all_reduce_compressed(const Compressed& mine, std::int64_t n) {
  // TODO: each rank sends as many numbers as if nothing were compressed, and they are
  // all ones.
  Tensor sum = ones({std::max<std::int64_t>(n, 40 * mine.values.numel())});
  distributed::all_reduce(sum).wait();
  return sum.narrow(0, 0, n);
}
