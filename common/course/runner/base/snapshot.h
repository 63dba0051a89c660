// SPDX-License-Identifier: MIT
// Detects whether a source was saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace d2l::runner {

/// Modification time and size of each source, by name.
using Snapshot = std::map<std::string, std::pair<std::int64_t, std::uintmax_t>>;

/// The .cpp and .h files of a folder, except those that are removed during the call.
Snapshot snapshot(const std::filesystem::path& folder);

}  // namespace d2l::runner
