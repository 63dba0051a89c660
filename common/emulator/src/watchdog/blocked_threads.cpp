// SPDX-License-Identifier: MIT
#include "watchdog/blocked_threads.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace d2l::emulator::watchdog {
namespace {

namespace fs = std::filesystem;

/// Mutexes, conditions and joins are waits for a futex; one without a time limit has a null pointer for it.
bool waits_for_wake(const fs::path& thread) {
  std::ifstream in(thread / "syscall");
  long number = -1;
  unsigned long long address = 0;
  unsigned long long operation = 0;
  unsigned long long value = 0;
  unsigned long long time_limit = 1;
  in >> number >> std::hex >> address >> operation >> value >> time_limit;
  if (!in || number != SYS_futex || time_limit != 0) return false;
  const auto command = static_cast<int>(operation) & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

}  // namespace

bool others_are_blocked(pid_t ignored) {
  const std::string own = std::to_string(::gettid());
  const std::string other = std::to_string(ignored);
  std::error_code problem;
  for (fs::directory_iterator at("/proc/self/task", problem), end; !problem && at != end; at.increment(problem)) {
    const std::string name = at->path().filename().string();
    if (name != own && name != other && !waits_for_wake(at->path())) return false;
  }
  return !problem;
}

}  // namespace d2l::emulator::watchdog
