// SPDX-License-Identifier: MIT
// The tree that students get.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace d2l::runner {

/// The files of a checkout: what git knows of, or without git everything but what is built or kept by tools.
std::vector<std::string> course_files(const std::filesystem::path& root);
/// Whether a file is for the teacher alone: solutions, wrong solutions, and what grades.
bool is_for_teachers(const std::string& file);
/// Copies the students' part of the checkout `root` into `folder`, each exercise.cpp as its stub; the number of files.
/// Stop when the folder is not empty.
int write_release(const std::filesystem::path& root, const std::filesystem::path& folder);
/// The command: the same for this checkout, with a message; the exit code.
int release_course(const std::filesystem::path& wanted);

}  // namespace d2l::runner
