// SPDX-License-Identifier: MIT
// Reads files of a submission, which may be links, pipes or devices.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace d2l::grading {

/// The bytes of a regular file of at most `most` bytes; nothing for a link or any other kind of file.
std::optional<std::string> read_regular_file(const std::filesystem::path& file, std::uint64_t most);

/// The sorted paths of the regular files below `folder`, relative to it; follows no links and stops after `most` names.
std::vector<std::filesystem::path> regular_files(const std::filesystem::path& folder, std::size_t most);

}  // namespace d2l::grading
