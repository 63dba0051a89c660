// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace d2l::runner {

/// Writes the student's sources and a manifest into the archive `wanted`, by default submission.tar.gz in the working
/// directory; returns the exit code.
int pack_exercises(const std::filesystem::path& wanted, const std::string& name);

}  // namespace d2l::runner
