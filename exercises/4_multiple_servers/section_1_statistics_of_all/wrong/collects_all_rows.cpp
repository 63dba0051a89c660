// SPDX-License-Identifier: MIT
// Sends the numbers of rows, then all rows to all ranks.
// Fails: bytes: bytes sent
#include "exercise.h"

using namespace d2l;

Tensor standardise(const Tensor& rows) {
  const int size = distributed::get_world_size();
  const Tensor counts = zeros({size}, kLong);
  counts[distributed::get_rank()] = rows.size(0);
  distributed::all_reduce(counts).wait();
  const Tensor table = zeros({counts.sum().item<std::int64_t>(), rows.size(1)}, kDouble);
  const auto begin = counts.narrow(0, 0, distributed::get_rank()).sum().item<std::int64_t>();
  table.narrow(0, begin, rows.size(0)).copy_(rows);
  distributed::all_reduce(table).wait();
  const Tensor mean = table.mean(0);
  const Tensor deviation = (table - mean).square().mean(0).sqrt();
  const Tensor own = rows.to(kDouble) - mean;
  return where(deviation > 0, own / deviation, zeros_like(own)).to(kFloat);
}
