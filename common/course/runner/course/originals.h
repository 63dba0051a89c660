// SPDX-License-Identifier: MIT
// The files of the course that a student may change by mistake, as the course has them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace d2l::runner {

/// Keeps a copy of every lesson and every exercise.h in .learn/original, where git does not have them. A copy that
/// exists stays.
void keep_originals(const std::filesystem::path& root);
/// The text of a file as the course has it: of the last commit, or the copy; nothing when neither has it.
std::optional<std::string> original_of(const std::filesystem::path& root, const std::filesystem::path& file);
/// Whether a file differs from its original.
bool is_edited(const std::filesystem::path& root, const std::filesystem::path& file);

}  // namespace d2l::runner
