// SPDX-License-Identifier: MIT
// What a reader wants of the log of a build that failed: the first error, and how many more there are.
#pragma once

#include <filesystem>
#include <string>

namespace d2l::runner {

/// The first error in a log of CMake, ninja or make and the compilers, with the source line and paths relative to
/// `root`, and the number of further errors; the last lines when no line looks like an error. In colour where that is
/// wanted.
std::string first_error(const std::filesystem::path& log, const std::filesystem::path& root, bool colour);

}  // namespace d2l::runner
