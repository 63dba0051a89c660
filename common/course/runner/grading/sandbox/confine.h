// SPDX-License-Identifier: MIT
// Confines a process that has just been forked.
#pragma once

#include <filesystem>
#include <vector>

#include "grading/sandbox/task.h"

namespace d2l::grading {

/// The folders of libraries, programs and the compiler, which every program in the sandbox may read.
std::vector<std::filesystem::path> system_folders();

/// Changes the user, sets limits, closes other files, isolates the calling process and executes the task's program in
/// it, through bubblewrap if `isolation` says so. Sends the descriptor of announce_shared_mappings() through the socket
/// `channel`. Throws std::system_error on failure.
[[noreturn]] void execute_confined(const Task& task, Isolation isolation, User user, int channel);

}  // namespace d2l::grading
