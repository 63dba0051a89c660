// SPDX-License-Identifier: MIT
#include "execution/host_crash.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/crashed_at.h"
#include "calls/call_site.h"
#include "calls/program_stack.h"

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

/// The lines of the program that lead to the crash. Copies run in a thread of their stream, which the program has not
/// called: there it is the call.
std::string place_of(const void* crash) {
  const auto lines = lines_of_program(calls_of_this_thread(), crash);
  const CallSite call = call_of_work();
  return lines.empty() && *call.name != '\0' ? " in " + call.text() : stack_text(lines);
}

/// Nothing runs a kernel that is called as a function: its name, and what to write.
std::string advice_of(const void* crash) {
  const std::string kernel = called_kernel(calls_of_this_thread(), crash);
  if (kernel.empty()) return "";
  return ". " + kernel +
         " is a kernel, which the host called as a function: nvcc refuses this, or, by a pointer, runs " +
         "nothing. Launch it: " + kernel + "<<<blocks, threads>>>(...)";
}

void report(int number, siginfo_t* information, void* context) {
  ::signal(number, SIG_DFL);  // the instruction is repeated, and ends the process
  ::signal(SIGALRM, SIG_DFL);
  ::alarm(10);  // the lines are read with functions that need a heap, which may be what crashed
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  const auto* const crash = reinterpret_cast<const void*>(detail::crashed_at(context));
  const std::string text = name_of(number) + place_of(crash) + advice_of(crash) + "\n";
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0);
  ::alarm(0);
  if (information->si_code <= 0) ::raise(number);
}

}  // namespace

void report_host_crashes() {
  if (std::getenv("D2L_REPORT_CRASHES") == nullptr) return;
  static_cast<void>(calls_of_this_thread());   // loads what it needs before a crash
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
