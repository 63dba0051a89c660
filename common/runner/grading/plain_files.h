// SPDX-License-Identifier: MIT
// Files that somebody else may have laid out to deceive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace d2l::grading {

/// The bytes of a regular file that is itself, no link, and no larger than `most`; nothing for anything else.
std::optional<std::string> read_plainly(const std::filesystem::path& file, std::uint64_t most);

/// The regular files below `folder`, relative to it, in order; follows no links, and stops after `most` names.
std::vector<std::filesystem::path> plain_files(const std::filesystem::path& folder, std::size_t most);

}  // namespace d2l::grading
