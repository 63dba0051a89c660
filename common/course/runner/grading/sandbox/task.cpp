// SPDX-License-Identifier: MIT
#include "grading/sandbox/task.h"

#include <fmt/format.h>

#include <cstring>

#include "grading/sandbox/folder_tree.h"

namespace d2l::grading {

std::string format_size(std::uint64_t bytes) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

std::string describe(const Ending& ending, const Limits& limits) {
  switch (ending.cause) {
    case Cause::seconds:
      return fmt::format("was ended after {:g} s", limits.seconds);
    case Cause::cpu_seconds:
      return fmt::format("was ended after {:g} s of computing", limits.cpu_seconds);
    case Cause::memory:
      return fmt::format("used more than {} of memory", format_size(limits.memory));
    case Cause::output:
      return fmt::format("printed more than {}", format_size(limits.output));
    case Cause::files:
      return fmt::format("wrote more than {} into its folder, or nested folders more than {} deep",
                         format_size(limits.files), deepest_folder);
    case Cause::processes:
      return fmt::format("started more than {} processes", limits.processes);
    case Cause::not_started:
      return fmt::format("could not be started: {}", ending.problem);
    case Cause::ended:
      break;
  }
  if (ending.signal != 0) return fmt::format("crashed: {} (signal {})", strsignal(ending.signal), ending.signal);
  return ending.exit_code == 0 ? std::string() : fmt::format("ended with exit code {}", ending.exit_code);
}

}  // namespace d2l::grading
