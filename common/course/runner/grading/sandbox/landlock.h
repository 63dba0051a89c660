// SPDX-License-Identifier: MIT
// Landlock: a process gives up access to files, for itself and its descendants.
#pragma once

#include <filesystem>
#include <vector>

namespace d2l::grading {

/// The kernel's version of Landlock; 0 for none.
int landlock_version();

/// Allows the calling process to read and execute `readable`, to read and write `usable`, and to do anything but
/// execute in `folder`: no other file, no TCP connection and, from version 6 on, no signal to a process outside.
/// Ignores paths that do not exist. Throws std::system_error when the kernel refuses.
void restrict_files(const std::vector<std::filesystem::path>& readable,
                    const std::vector<std::filesystem::path>& usable, const std::filesystem::path& folder);

}  // namespace d2l::grading
