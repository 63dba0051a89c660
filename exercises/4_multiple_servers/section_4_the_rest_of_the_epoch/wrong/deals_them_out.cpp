// SPDX-License-Identifier: MIT
// Deals the examples of a batch out like cards: even, and not in the order of the batch.
// Fails: batches: the examples
#include <algorithm>

#include "exercise.h"

std::vector<std::vector<std::int64_t>> rest_of_epoch(const std::vector<std::int64_t>& order, std::int64_t batch_size,
                                                     std::int64_t steps_done, int rank, int ranks) {
  const auto examples = static_cast<std::int64_t>(order.size());
  std::vector<std::vector<std::int64_t>> steps;
  for (std::int64_t begin = steps_done * batch_size; begin < examples; begin += batch_size) {
    const std::int64_t size = std::min(batch_size, examples - begin);
    const auto first = order.begin() + begin;
    steps.emplace_back();
    for (std::int64_t i = rank; i < size; i += ranks) steps.back().push_back(*(first + i));
  }
  return steps;
}
