// SPDX-License-Identifier: MIT
// Deals the rows out like cards: the parts are even, and their rows are not in the order of the batch.
// Fails: rows: other rows
// May fail: copies
#include "exercise.h"

using namespace d2l;

std::vector<Tensor> split_batch(const Tensor& batch, const std::vector<Device>& devices) {
  const auto n = batch.size(0);
  const auto k = static_cast<std::int64_t>(devices.size());
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < k; ++i) {
    const Tensor rows = i < n ? batch.slice(0, i, std::nullopt, k) : batch.narrow(0, 0, 0);
    parts.push_back(rows.to(devices[static_cast<std::size_t>(i)]));
  }
  return parts;
}
