// SPDX-License-Identifier: MIT
// Repeats the last step before the checkpoint.
// Fails: steps: step
// Fails: batches: step
// Fails: even: step
// Fails: once: step
#include <algorithm>

#include "exercise.h"

std::vector<std::vector<std::int64_t>> rest_of_epoch(const std::vector<std::int64_t>& order, std::int64_t batch_size,
                                                     std::int64_t steps_done, int rank, int ranks) {
  const auto examples = static_cast<std::int64_t>(order.size());
  std::vector<std::vector<std::int64_t>> steps;
  for (std::int64_t begin = std::max<std::int64_t>(steps_done - 1, 0) * batch_size; begin < examples;
       begin += batch_size) {
    const std::int64_t size = std::min(batch_size, examples - begin);
    const auto first = order.begin() + begin;
    steps.emplace_back(first + size * rank / ranks, first + size * (rank + 1) / ranks);
  }
  return steps;
}
