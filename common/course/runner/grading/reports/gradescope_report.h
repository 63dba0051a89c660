// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "grading/reports/results.h"

namespace d2l::grading {

/// Writes Gradescope's results.json to `path`; for several students a folder of that name with one file a student.
/// `visibility` is that of the tests. The seed is hidden, and with an instructor's own checks what a program printed.
void write_gradescope(const Results& results, const std::filesystem::path& path, const std::string& visibility);

}  // namespace d2l::grading
