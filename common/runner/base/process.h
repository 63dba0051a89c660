// SPDX-License-Identifier: MIT
// Programs that the runner starts.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace d2l::runner {

using Command = std::vector<std::string>;

/// Runs a program in `folder` with the runner's own streams; its exit code, or 128 and the signal that ended it.
int run(const Command& command, const std::filesystem::path& folder);
/// Starts a program, in which `prepare` is called first; its process. Stop when there can be no more processes.
int start(const Command& command, const std::filesystem::path& folder, const std::function<void()>& prepare);
/// Waits for a process's end; its exit code as run() has it.
int wait_for(int process);

/// The words for an exit code of run(): "ended by a signal: Segmentation fault", or empty for an ordinary end.
std::string signal_words(int code);
/// Where a program is found along PATH; empty when it is not.
std::filesystem::path find_program(const std::string& name);

}  // namespace d2l::runner
