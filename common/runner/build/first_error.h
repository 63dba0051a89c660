// SPDX-License-Identifier: MIT
// The first error in the log of a build that failed.
#pragma once

#include <filesystem>
#include <string>

namespace d2l::runner {

/// The first error in a log of CMake, ninja or make and the compilers, with the source line and paths relative to
/// `root`, and the number of further errors; the last lines when no line looks like an error.
std::string first_error(const std::filesystem::path& log, const std::filesystem::path& root, bool colour);

}  // namespace d2l::runner
