// SPDX-License-Identifier: MIT
// Landlock: a process gives up files for itself and for all that it starts.
#pragma once

#include <filesystem>
#include <vector>

namespace d2l::grading {

/// The version of Landlock that the kernel has; 0 for none.
int landlock_version();

/// Leaves the calling process `readable` to read and execute, `usable` to read and write without making anything new,
/// and `folder` to do anything in: no other file, no TCP connection and, from version 6 on, no signal to a process
/// outside. Paths that do not exist are passed over. Throws std::system_error when the kernel refuses.
void restrict_files(const std::vector<std::filesystem::path>& readable,
                    const std::vector<std::filesystem::path>& usable, const std::filesystem::path& folder);

}  // namespace d2l::grading
