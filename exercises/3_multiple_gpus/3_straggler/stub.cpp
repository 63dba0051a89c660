// SPDX-License-Identifier: MIT
#include "exercise.h"

std::vector<std::int64_t> divide(std::int64_t rows, const std::vector<Speed>& gpus) {
  // TODO: equal parts, and the rest is left out.
  const auto count = static_cast<std::int64_t>(gpus.size());
  return std::vector<std::int64_t>(gpus.size(), rows / (count + 1));
}

std::int64_t step_time(const std::vector<std::int64_t>& rows,
                       const std::vector<Speed>& gpus) {
  // TODO: this is the time of the first GPU.
  return gpus.front().start + rows.front() * gpus.front().row;
}

std::vector<double> weights(const std::vector<std::int64_t>& rows) {
  // TODO: all GPUs count the same.
  return std::vector<double>(rows.size(), 1);
}
