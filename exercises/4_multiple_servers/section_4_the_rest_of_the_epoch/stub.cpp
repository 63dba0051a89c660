// SPDX-License-Identifier: MIT
#include "exercise.h"

std::vector<std::vector<std::int64_t>> rest_of_epoch(
    const std::vector<std::int64_t>& order, std::int64_t batch_size,
    std::int64_t steps_done, int rank, int ranks) {
  // TODO: all ranks do everything again, in one step.
  static_cast<void>(batch_size);
  static_cast<void>(steps_done);
  static_cast<void>(rank);
  static_cast<void>(ranks);
  return {order};
}
