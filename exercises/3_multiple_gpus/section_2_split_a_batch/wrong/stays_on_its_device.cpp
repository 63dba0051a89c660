// SPDX-License-Identifier: MIT
// Makes views and forgets to move them.
// Fails: places: in the memory of
// May fail: copies
// Needs: 2
#include "exercise.h"

using namespace d2l;

std::vector<Tensor> split_batch(const Tensor& batch, const std::vector<Device>& devices) {
  const auto n = batch.size(0);
  const auto k = static_cast<std::int64_t>(devices.size());
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < k; ++i) {
    const auto begin = n * i / k;
    parts.push_back(batch.narrow(0, begin, n * (i + 1) / k - begin));
  }
  return parts;
}
