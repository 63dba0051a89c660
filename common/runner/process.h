// SPDX-License-Identifier: MIT
// Programs that the runner starts.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace d2l::runner {

using Command = std::vector<std::string>;

/// Runs a program in `folder` with the runner's own streams; its exit code, or 128 and the signal that ended it.
int run(const Command& command, const std::filesystem::path& folder);
/// Runs a program in `folder` and gives each line of what it writes to `read`; the exit code as run() has it.
int run_reading(const Command& command, const std::filesystem::path& folder,
                const std::function<void(const std::string&)>& read);

/// When to end a program that does not end by itself.
struct Guard {
  std::chrono::seconds limit{0};      ///< 0 for none
  std::function<bool()> interrupted;  ///< asked about twenty times a second
};
/// How a program ended.
struct Ended {
  enum class Why { itself, time_limit, interrupted };
  int code = 0;
  Why why = Why::itself;
};
/// Runs a program as run_reading() does, without `read` with the runner's own streams for output; ends it, and what it
/// has started, when the guard says so.
Ended run_guarded(const Command& command, const std::filesystem::path& folder, const Guard& guard,
                  const std::function<void(const std::string&)>& read = {});
/// Starts a program, in which `prepare` is called first; its process. Stop when there can be no more processes.
int start(const Command& command, const std::filesystem::path& folder, const std::function<void()>& prepare);
/// Waits for a process's end; its exit code as run() has it.
int wait_for(int process);

/// The words for an exit code of run(): "ended by a signal: Segmentation fault", or empty for an ordinary end.
std::string signal_words(int code);
/// Where a program is found along PATH; empty when it is not.
std::filesystem::path find_program(const std::string& name);

}  // namespace d2l::runner
