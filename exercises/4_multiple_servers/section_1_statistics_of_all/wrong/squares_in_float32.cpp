// SPDX-License-Identifier: MIT
// One all-reduce of sums and sums of squares: their difference loses all digits of columns with a large mean.
// Fails: large: .
// May fail: constant
// May fail: values
#include "exercise.h"

using namespace d2l;

Tensor standardise(const Tensor& rows) {
  const auto columns = rows.size(1);
  const Tensor sums = cat({rows.sum(0), rows.square().sum(0), full({1}, static_cast<double>(rows.size(0)))});
  distributed::all_reduce(sums).wait();
  const double count = sums[2 * columns].item<double>();
  const Tensor mean = sums.narrow(0, 0, columns) / count;
  const Tensor variance = sums.narrow(0, columns, columns) / count - mean.square();
  const Tensor deviation = variance.clamp_min(0).sqrt();
  return where(deviation > 0.001, (rows - mean) / deviation, zeros_like(rows));
}
