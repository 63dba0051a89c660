// SPDX-License-Identifier: MIT
// How the sources of an exercise lie on the disk, to see whether one was saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace d2l::runner {

/// Time of change and size of each source of a folder, by name.
using Snapshot = std::map<std::string, std::pair<std::int64_t, std::uintmax_t>>;

/// Looks at the .cpp and .h of a folder; files that vanish meanwhile are left out.
Snapshot snapshot(const std::filesystem::path& folder);

}  // namespace d2l::runner
