// SPDX-License-Identifier: MIT
// Five ways to break one rule: a number of calls that depends on the data of a rank, a
// root that depends on the rank, a call in an if that asks for the rank, an order that
// depends on the rank, and a decision of one rank alone. The remedy is the same: what
// differs from rank to rank goes into the numbers, and the calls stay the same.
#include "exercise.h"

using namespace d2l;
namespace dist = d2l::distributed;

double mean_loss(const std::vector<double>& losses) {
  const Tensor sums = zeros({2}, kDouble);
  for (const double loss : losses) sums[0] += loss;
  sums[1] += static_cast<double>(losses.size());
  dist::all_reduce(sums).wait();
  return sums[0].item<double>() / sums[1].item<double>();
}

Tensor from_rank_0(const Tensor& mine) {
  Tensor tensor = mine.clone();
  dist::broadcast(tensor, 0).wait();
  return tensor;
}

void write_log(const std::function<void()>& write) {
  if (dist::get_rank() == 0) write();
  dist::barrier().wait();
}

std::pair<Tensor, Tensor> two_sums(const Tensor& a, const Tensor& b) {
  Tensor sum_of_a = a.clone();
  Tensor sum_of_b = b.clone();
  dist::all_reduce(sum_of_a).wait();
  dist::all_reduce(sum_of_b).wait();
  return {sum_of_a, sum_of_b};
}

Tensor sum_if_finite(const Tensor& mine) {
  const Tensor all_finite = mine.isfinite().all().view({1});
  dist::all_reduce(all_finite, dist::ReduceOp::MIN).wait();
  if (!all_finite.item<bool>()) return zeros_like(mine);
  Tensor sum = mine.clone();
  dist::all_reduce(sum).wait();
  return sum;
}
