// SPDX-License-Identifier: MIT
// Leaves out the parts without rows, so that part i is no longer that of device i.
// Fails: rows: part
// Fails: even: part
// Fails: places: part
// May fail: copies
#include "exercise.h"

using namespace d2l;

std::vector<Tensor> split_batch(const Tensor& batch, const std::vector<Device>& devices) {
  const auto n = batch.size(0);
  const auto k = static_cast<std::int64_t>(devices.size());
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < k; ++i) {
    const auto begin = n * i / k;
    const auto rows = n * (i + 1) / k - begin;
    if (rows > 0) parts.push_back(batch.narrow(0, begin, rows).to(devices[static_cast<std::size_t>(i)]));
  }
  return parts;
}
