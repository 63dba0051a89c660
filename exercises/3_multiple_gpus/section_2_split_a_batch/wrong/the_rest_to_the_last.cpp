// SPDX-License-Identifier: MIT
// Gives n / k rows to each device and the remaining ones to the last: with 7 rows and 4 devices, 1, 1, 1 and 4.
// Fails: even: rows
#include "exercise.h"

using namespace d2l;

std::vector<Tensor> split_batch(const Tensor& batch, const std::vector<Device>& devices) {
  const auto n = batch.size(0);
  const auto k = static_cast<std::int64_t>(devices.size());
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < k; ++i) {
    const auto rows = i + 1 < k ? n / k : n - (k - 1) * (n / k);
    parts.push_back(batch.narrow(0, i * (n / k), rows).to(devices[static_cast<std::size_t>(i)]));
  }
  return parts;
}
