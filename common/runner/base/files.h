// SPDX-License-Identifier: MIT
// Files read and written as a whole.
#pragma once

#include <filesystem>
#include <string>

namespace d2l::runner {

/// The bytes of a file; Stop when it cannot be read.
std::string read_file(const std::filesystem::path& file);
/// Replaces a file, whole or not at all; makes its folder. Stop when it cannot be written.
void write_file(const std::filesystem::path& file, const std::string& bytes);
/// `folder/stem-N.extension` with the first number that is free.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& stem,
                                const std::string& extension);

}  // namespace d2l::runner
