// SPDX-License-Identifier: MIT
// Starts programs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace d2l::runner {

using Command = std::vector<std::string>;

/// Runs a program in `folder` with the runner's own streams. Returns its exit code, or 128 + the signal that ended it.
int run(const Command& command, const std::filesystem::path& folder);
/// Starts a program and calls `prepare` in the child first. Returns the process ID. Stop when no process can be
/// started.
int start(const Command& command, const std::filesystem::path& folder, const std::function<void()>& prepare);
/// Waits until a process ends. Returns its exit code, as run() does.
int wait_for(int process);

/// Describes the signal in an exit code of run(): "ended by a signal: Segmentation fault". Empty when there is none.
std::string signal_words(int code);
/// The path of a program in PATH; empty when it is not there.
std::filesystem::path find_program(const std::string& name);

}  // namespace d2l::runner
