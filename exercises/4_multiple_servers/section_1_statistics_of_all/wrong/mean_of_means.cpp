// SPDX-License-Identifier: MIT
// Averages the means of the ranks, as if all had the same number of rows.
// Fails: values: .
// Fails: large: .
// May fail: constant
#include "exercise.h"

using namespace d2l;

Tensor standardise(const Tensor& rows) {
  const auto columns = rows.size(1);
  const Tensor wide = rows.to(kDouble);
  const Tensor sums = cat({wide.mean(0), ones({1}, kDouble)});
  distributed::all_reduce(sums).wait();
  const double count = sums[columns].item<double>();
  const Tensor centred = wide - sums.narrow(0, 0, columns) / count;
  const Tensor squares = centred.square().mean(0);
  distributed::all_reduce(squares).wait();
  const Tensor deviation = (squares / count).sqrt();
  return where(deviation > 0, centred / deviation, zeros_like(centred)).to(kFloat);
}
