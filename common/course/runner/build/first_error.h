// SPDX-License-Identifier: MIT
// What is to be seen in the log of a build: the first error, and warnings.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace d2l::runner {

/// The first error in a log of CMake, ninja or make and the compilers, with the source line and paths relative to
/// `root`, and the number of further errors; the last lines when no line looks like an error.
std::string first_error(const std::filesystem::path& log, const std::filesystem::path& root, bool colour);
/// The line of a program's own files that leads to the first error, which is in a header of a library: "program.cu:9:7:
/// required from here" in the output of a compiler. If the error is in them, it is its own line where much is written
/// behind it, and else nothing. Nothing if no line is told.
std::optional<std::string> leading_line(const std::vector<std::string>& output,
                                        const std::vector<std::string>& own_files);
/// The compiler's warnings about the files of `folder` ("exercises/1_gpus/3_log"), in the same form.
std::string warnings(const std::filesystem::path& log, const std::filesystem::path& root, const std::string& folder,
                     bool colour);
/// Why a build of `target` failed without a mistake in its sources: "the disk is full"; empty for a mistake in them.
std::string outside_cause(const std::filesystem::path& log, const std::string& target);

}  // namespace d2l::runner
