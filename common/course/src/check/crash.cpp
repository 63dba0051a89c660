// SPDX-License-Identifier: MIT
#include "check/crash.h"

#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/crashed_at.h"

namespace d2l::check {
namespace {

std::uintptr_t loaded_at = 0;  // the address of the program, less that in its file
std::array<char, 128> running{};
std::array<char, 65536> stack{};  // a handler needs its own after an endless recursion

void write_text(std::string_view text) { static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0); }

void write_address(std::uintptr_t address) {
  std::array<char, 2 * sizeof address> digits{};
  for (std::size_t i = digits.size(); i-- > 0; address >>= 4U) digits[i] = "0123456789abcdef"[address & 15U];
  write_text("crash at: +0x");
  write_text({digits.data(), digits.size()});
  write_text("\n");
}

/// Only functions that a signal handler may call. The handler of faults in device memory may have called this one, so
/// that raise() needs the default effect.
void report(int number, siginfo_t* /*information*/, void* context) {
  ::signal(number, SIG_DFL);
  write_text("crash: ");
  write_text(running.data());
  write_text("\n");
  std::array<void*, 32> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i) {
    // The call is before the address to which it returns; the crash is where it is.
    const auto frame = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]);
    const auto at = frame == detail::crashed_at(context) ? frame : frame - 1;
    if (at > loaded_at) write_address(at - loaded_at);
  }
  ::raise(number);
}

}  // namespace

void report_crashes() {
  const auto note_program = [](dl_phdr_info* program, std::size_t, void*) {
    loaded_at = program->dlpi_addr;
    return 1;  // the program is the first
  };
  ::dl_iterate_phdr(note_program, nullptr);
  std::array<void*, 1> frame{};
  ::backtrace(frame.data(), 1);  // loads what it needs before a crash
  stack_t other{};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = report;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_NODEFER | SA_ONSTACK);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) ::sigaction(number, &action, nullptr);
}

RunningCall::RunningCall(const std::string& name) {
  const std::size_t length = std::min(name.size(), running.size() - 1);
  std::memcpy(running.data(), name.data(), length);
  running[length] = '\0';
}

RunningCall::~RunningCall() { running[0] = '\0'; }

}  // namespace d2l::check
