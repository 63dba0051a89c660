// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace d2l::grading {

/// The first error in the output of a compiler or linker for exercise.cpp, in a few words: "does not define f(int)".
std::string compiler_message(const std::string& output);

}  // namespace d2l::grading
