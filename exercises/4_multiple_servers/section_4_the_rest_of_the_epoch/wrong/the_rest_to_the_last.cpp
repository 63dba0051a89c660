// SPDX-License-Identifier: MIT
// Gives all examples that remain of a batch to the last rank.
// Fails: even: the lengths
#include <algorithm>

#include "exercise.h"

std::vector<std::vector<std::int64_t>> rest_of_epoch(const std::vector<std::int64_t>& order, std::int64_t batch_size,
                                                     std::int64_t steps_done, int rank, int ranks) {
  const auto examples = static_cast<std::int64_t>(order.size());
  std::vector<std::vector<std::int64_t>> steps;
  for (std::int64_t begin = steps_done * batch_size; begin < examples; begin += batch_size) {
    const std::int64_t size = std::min(batch_size, examples - begin);
    const auto first = order.begin() + begin;
    const std::int64_t each = size / ranks;
    steps.emplace_back(first + each * rank, rank + 1 == ranks ? first + size : first + each * (rank + 1));
  }
  return steps;
}
