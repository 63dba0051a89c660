// SPDX-License-Identifier: MIT
// Each row goes to the GPU that would finish earliest with it. Each further row makes a
// GPU finish later, so this always takes the earliest of all possible finishing times,
// and no other division can finish the last row earlier. A GPU that starts late gets no
// rows until the others would finish even later.
#include <algorithm>
#include <cstddef>

#include "exercise.h"

std::vector<std::int64_t> divide(std::int64_t rows, const std::vector<Speed>& gpus) {
  std::vector<std::int64_t> parts(gpus.size());
  for (std::int64_t given = 0; given < rows; ++given) {
    const auto end_with_one_more = [&](std::size_t i) {
      return gpus[i].start + (parts[i] + 1) * gpus[i].row;
    };
    std::size_t earliest = 0;
    for (std::size_t i = 1; i < gpus.size(); ++i) {
      if (end_with_one_more(i) < end_with_one_more(earliest)) earliest = i;
    }
    ++parts[earliest];
  }
  return parts;
}

std::int64_t step_time(const std::vector<std::int64_t>& rows,
                       const std::vector<Speed>& gpus) {
  std::int64_t latest = 0;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (rows[i] > 0) latest = std::max(latest, gpus[i].start + rows[i] * gpus[i].row);
  }
  return latest;
}

std::vector<double> weights(const std::vector<std::int64_t>& rows) {
  std::int64_t all = 0;
  for (const std::int64_t part : rows) all += part;
  std::vector<double> factors;
  for (const std::int64_t part : rows) {
    factors.push_back(part == 0 ? 0
                                : static_cast<double>(part) / static_cast<double>(all));
  }
  return factors;
}
