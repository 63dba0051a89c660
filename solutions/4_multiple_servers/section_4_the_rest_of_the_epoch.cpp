// SPDX-License-Identifier: MIT
// The batches come from the order alone, so they are the same for any number of ranks.
// Then each batch is divided between the ranks that there are now. What was done before
// needs no list of examples, only the number of steps.
#include <algorithm>

#include "exercise.h"

std::vector<std::vector<std::int64_t>> rest_of_epoch(
    const std::vector<std::int64_t>& order, std::int64_t batch_size,
    std::int64_t steps_done, int rank, int ranks) {
  const auto examples = static_cast<std::int64_t>(order.size());
  std::vector<std::vector<std::int64_t>> steps;
  for (std::int64_t begin = steps_done * batch_size; begin < examples;
       begin += batch_size) {
    const std::int64_t size = std::min(batch_size, examples - begin);
    const auto first = order.begin() + begin;
    steps.emplace_back(first + size * rank / ranks, first + size * (rank + 1) / ranks);
  }
  return steps;
}
