// SPDX-License-Identifier: MIT
// Takes a whole last batch, and repeats the last example where nothing is left.
// Fails: batches: the examples
// Fails: once: the examples
// May fail: even
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
    for (std::int64_t i = batch_size * rank / ranks; i < batch_size * (rank + 1) / ranks; ++i) {
      steps.back().push_back(*(first + std::min(i, size - 1)));
    }
  }
  return steps;
}
