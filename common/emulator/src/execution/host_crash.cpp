// SPDX-License-Identifier: MIT
#include "execution/host_crash.h"

#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/crashed_at.h"
#include "checks/source_lines.h"

namespace d2l::emulator {
namespace {

constexpr std::array crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};

std::string name_of(int number) {
  switch (number) {
    case SIGFPE:
      return "division by zero";
    case SIGILL:
      return "illegal instruction";
    default:
      return "access to memory that the host does not have";
  }
}

/// The lines of the program that lead to a crash, from the innermost.
std::string places(const void* crash) {
  constexpr int most = 4;
  std::array<void*, 64> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  // What comes before the crash is the handler. A frame is where a call returns to, so that the line is that of the
  // byte before; the crash is at its instruction.
  const auto end = frames.begin() + count;
  const auto begin = std::find(frames.begin(), end, crash);
  std::string text;
  int found = 0;
  for (auto frame = begin == end ? frames.begin() : begin; frame != end && found < most; ++frame) {
    const SourceLine& line = source_line(static_cast<const std::byte*>(*frame) + (*frame == crash ? 1 : 0));
    if (line.line <= 0 || text.ends_with(line.text())) continue;
    text += (found++ == 0 ? " at " : ", called at ") + line.text();
  }
  return text;
}

void report(int number, siginfo_t* information, void* context) {
  ::signal(number, SIG_DFL);  // the instruction is repeated, and ends the process
  ::signal(SIGALRM, SIG_DFL);
  ::alarm(10);  // the lines are read with functions that need a heap, which may be what crashed
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  const auto* const crash = reinterpret_cast<const void*>(detail::crashed_at(context));
  const std::string text = name_of(number) + places(crash) + "\n";
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0);
  ::alarm(0);
  if (information->si_code <= 0) ::raise(number);
}

}  // namespace

void report_host_crashes() {
  if (std::getenv("D2L_REPORT_CRASHES") == nullptr) return;
  std::array<void*, 1> frame{};
  ::backtrace(frame.data(), 1);                // loads what it needs before a crash
  static std::array<char, 1U << 18U> stack{};  // after an endless recursion there is no other
  stack_t other{};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  ::sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int number : crash_signals) ::sigaction(number, &action, nullptr);
}

}  // namespace d2l::emulator
