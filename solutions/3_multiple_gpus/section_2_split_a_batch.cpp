// SPDX-License-Identifier: MIT
// Part i begins at row n·i/k, rounded down, and ends where part i + 1 begins. So no row
// is missing or there twice, and the last part ends at row n. Two neighbouring
// beginnings are n/k apart, rounded down or up, so the parts differ by at most one row.
// narrow() comes first, because it copies nothing; to() then copies the rows of this
// part alone.
#include "exercise.h"

using namespace d2l;

std::vector<Tensor> split_batch(const Tensor& batch,
                                const std::vector<Device>& devices) {
  const auto n = batch.size(0);
  const auto k = static_cast<std::int64_t>(devices.size());
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < k; ++i) {
    const auto begin = n * i / k;
    parts.push_back(batch.narrow(0, begin, n * (i + 1) / k - begin)
                        .to(devices[static_cast<std::size_t>(i)]));
  }
  return parts;
}
