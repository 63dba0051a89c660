// SPDX-License-Identifier: MIT
// A single slow step hardly changes a median, and the slow rank hardly changes the
// median of all ranks; both would change a mean. Each rank computes the rest from the
// same numbers in the same way, so all have one result.
//
// The number of ranks that are in time is added up in the last element, after the
// gradient, so that one all-reduce is enough. A late rank takes part with zeros: the
// others wait for its message, but not for its computation.
#include <algorithm>

#include "exercise.h"

using namespace d2l;

int straggler(const std::vector<double>& seconds) {
  std::vector<double> steps = seconds;
  std::sort(steps.begin(), steps.end());
  const Tensor mine = full({1}, steps[steps.size() / 2], kDouble);
  std::vector<Tensor> gathered;
  for (int rank = 0; rank < distributed::get_world_size(); ++rank)
    gathered.push_back(empty_like(mine));
  distributed::all_gather(gathered, mine).wait();
  std::vector<double> times;
  for (const Tensor& time : gathered) times.push_back(time.item<double>());
  std::vector<double> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  const auto slowest = std::max_element(times.begin(), times.end());
  if (!(*slowest > 1.5 * sorted[(sorted.size() - 1) / 2])) return -1;
  return static_cast<int>(slowest - times.begin());
}

Tensor mean_of_punctual(const Tensor& gradient, bool in_time) {
  const auto n = gradient.numel();
  const Tensor sum = zeros({n + 1});
  if (in_time) {
    sum.narrow(0, 0, n).copy_(gradient.flatten());
    sum[n] = 1;
  }
  distributed::all_reduce(sum).wait();
  const double count = std::max(1.0, sum[n].item<double>());
  return (sum.narrow(0, 0, n) / count).view(gradient.sizes());
}
