// SPDX-License-Identifier: MIT
// What a student hands in: an archive with a manifest.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "course/exercises.h"

namespace d2l::runner {

/// The sources that a student wrote in an exercise's folder: exercise.cpp, and files of their own beside it.
std::vector<std::filesystem::path> student_sources(const Exercise& exercise);

/// Everything that is packed, by its path in the archive: the sources below exercises/, and manifest.json.
std::map<std::string, std::string> packed_files(const std::filesystem::path& root,
                                                const std::vector<Exercise>& exercises, const std::string& student);
/// Writes the archive `wanted`, by default submission.tar.gz in the working directory; the exit code.
int pack_exercises(const std::filesystem::path& wanted, const std::string& name);

}  // namespace d2l::runner
