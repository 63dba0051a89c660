// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;
namespace dist = d2l::distributed;

double mean_loss(const std::vector<double>& losses) {
  double sum = 0;
  for (const double loss : losses) {
    const Tensor one = full({1}, loss, kDouble);
    dist::all_reduce(one).wait();
    sum += one[0].item<double>();
  }
  return sum / static_cast<double>(losses.size());
}

Tensor from_rank_0(const Tensor& mine) {
  Tensor tensor = mine.clone();
  dist::broadcast(tensor, dist::get_rank()).wait();
  return tensor;
}

void write_log(const std::function<void()>& write) {
  if (dist::get_rank() == 0) {
    write();
    dist::barrier().wait();
  }
}

std::pair<Tensor, Tensor> two_sums(const Tensor& a, const Tensor& b) {
  Tensor sum_of_a = a.clone();
  Tensor sum_of_b = b.clone();
  if (dist::get_rank() % 2 == 0) {
    dist::all_reduce(sum_of_a).wait();
    dist::all_reduce(sum_of_b).wait();
  } else {
    dist::all_reduce(sum_of_b).wait();
    dist::all_reduce(sum_of_a).wait();
  }
  return {sum_of_a, sum_of_b};
}

Tensor sum_if_finite(const Tensor& mine) {
  if (!mine.isfinite().all().item<bool>()) return zeros_like(mine);
  Tensor sum = mine.clone();
  dist::all_reduce(sum).wait();
  return sum;
}
