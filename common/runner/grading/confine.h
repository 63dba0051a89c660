// SPDX-License-Identifier: MIT
// Walls around a process that has just been forked, for good.
#pragma once

#include <string>
#include <vector>

#include "task.h"

namespace d2l::grading {

/// Folders of the system that programs in the sandbox may read: its libraries, its programs, the compiler.
std::vector<std::filesystem::path> system_folders();

/// Gives the calling process another user, limits, no other files, no way to call for more, and becomes the task's
/// program: bubblewrap, which then starts it, when `walls` says so. Throws std::system_error when that cannot be.
[[noreturn]] void become(const Task& task, Walls walls, User user);

}  // namespace d2l::grading
