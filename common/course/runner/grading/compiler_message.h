// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace d2l::grading {

/// The first error in the output of a compiler or linker for exercise.cpp, in a few words: "does not define f(int)".
/// Without `places` it names no file and line.
std::string compiler_message(const std::string& output, bool places);

/// Whether a source can have a #line, so that the compiler names files and lines that are not true.
bool renames_lines(const std::string& source);

}  // namespace d2l::grading
