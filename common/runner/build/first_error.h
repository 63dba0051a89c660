// SPDX-License-Identifier: MIT
// What is to be seen in the log of a build: the first error, and warnings.
#pragma once

#include <filesystem>
#include <string>

namespace d2l::runner {

/// The first error in a log of CMake, ninja or make and the compilers, with the source line and paths relative to
/// `root`, and the number of further errors; the last lines when no line looks like an error.
std::string first_error(const std::filesystem::path& log, const std::filesystem::path& root, bool colour);
/// The compiler's warnings about the files of `folder` ("exercises/1_gpus/3_log"), in the same form.
std::string warnings(const std::filesystem::path& log, const std::filesystem::path& root, const std::string& folder,
                     bool colour);
/// Why a build of `target` failed without a mistake in its sources: "the disk is full"; empty for a mistake in them.
std::string outside_cause(const std::filesystem::path& log, const std::string& target);

}  // namespace d2l::runner
