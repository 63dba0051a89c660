// SPDX-License-Identifier: MIT
// Polls times and sizes: mounted folders of other systems send no notifications.
#include "base/snapshot.h"

#include <algorithm>
#include <array>

namespace d2l::runner {

Snapshot snapshot(const std::filesystem::path& folder) {
  Snapshot seen;
  std::error_code problem;
  std::filesystem::directory_iterator entries(folder, problem);
  for (; !problem && entries != std::filesystem::directory_iterator(); entries.increment(problem)) {
    const auto& path = entries->path();
    constexpr std::array kinds{".cpp", ".h", ".cu", ".cuh"};
    if (std::find(kinds.begin(), kinds.end(), path.extension()) == kinds.end()) continue;
    const auto changed = std::filesystem::last_write_time(path, problem).time_since_epoch().count();
    const auto size = problem ? 0 : std::filesystem::file_size(path, problem);
    if (!problem) seen[path.filename().string()] = {static_cast<std::int64_t>(changed), size};
    problem.clear();
  }
  return seen;
}

}  // namespace d2l::runner
