// SPDX-License-Identifier: MIT
// Reads and writes whole files.
#pragma once

#include <filesystem>
#include <string>

namespace d2l::runner {

/// The bytes of a file; Stop when it cannot be read.
std::string read_file(const std::filesystem::path& file);
/// Replaces a file atomically and creates its folder; Stop when it cannot be written.
void write_file(const std::filesystem::path& file, const std::string& bytes);
/// `folder/stem-N.extension` with the first number for which there is no file.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& stem,
                                const std::string& extension);

}  // namespace d2l::runner
