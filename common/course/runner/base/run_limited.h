// SPDX-License-Identifier: MIT
// Runs programs whose output is read, with limits.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/process.h"

namespace d2l::runner {

using ReadLine = std::function<void(const std::string&)>;

/// When to stop a program.
struct Limits {
  std::chrono::seconds time{0};       ///< 0 for no limit
  std::function<bool()> interrupted;  ///< called about twenty times a second
  std::int64_t memory = 0;            ///< resident bytes of the program; 0 for no limit
};
/// How a program ended.
struct Ended {
  enum class Why { itself, time_limit, memory_limit, interrupted };
  int code = 0;  ///< as run() returns it
  Why why = Why::itself;
};
/// Runs a program in `folder` without input and gives each line of its output to `read`; without `read` it writes to
/// the runner's own output. Ends the program and its children at a limit.
Ended run_limited(const Command& command, const std::filesystem::path& folder, const Limits& limits,
                  const ReadLine& read = {});
/// The same without limits; the exit code as run() returns it.
int run_reading(const Command& command, const std::filesystem::path& folder, const ReadLine& read);

}  // namespace d2l::runner
