// SPDX-License-Identifier: MIT
// The tree for students.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace d2l::runner {

/// The files of a checkout: those that git tracks, or without git all except the folders of builds and tools.
std::vector<std::string> course_files(const std::filesystem::path& root);
/// Whether a file is for teachers only: solutions, mistakes, and the code for grading.
bool is_for_teachers(const std::string& file);
/// Copies the files for students from the checkout `root` to `folder`, with an exercise.cpp for each stub; their
/// number. Stop when the folder is not empty.
int write_release(const std::filesystem::path& root, const std::filesystem::path& folder);
/// The command: the same for this checkout, with a message; the exit code.
int release_course(const std::filesystem::path& wanted);

}  // namespace d2l::runner
