// SPDX-License-Identifier: MIT
// Faults of a kernel's code: a wild address, a division by zero, a failed assertion. They end the kernel, never the
// process.
#include <assert.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "arguments/host_objects.h"
#include "calls/explanations.h"
#include "checks/reports.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {
namespace {

constexpr const char* division_by_zero = "integer division by zero (a card computes a meaningless number)";
// __builtin_trap() is SIGILL on x86, and SIGTRAP on ARM.
constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
std::array<struct sigaction, signals.size()> previous{};

void on_signal(int number, siginfo_t* information, void* context) {
  Worker* const worker = current_state.worker;
  if (worker != nullptr && worker->fiber != nullptr && information->si_code > 0) {
    worker->fault_signal(number, information->si_addr);
  }
  std::size_t i = 0;
  while (signals[i] != number) ++i;
  const struct sigaction& action = previous[i];
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, information, context);
  } else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    action.sa_handler(number);
  } else {
    ::signal(number, SIG_DFL);  // the access is repeated and ends the process
    if (information->si_code <= 0) ::raise(number);
  }
}

/// What an interrupt writes of the kernel that a thread runs. Only that thread changes the text, between kernels.
struct RunningKernel {
  std::atomic<bool> runs{false};
  std::array<char, 256> text{};
};
std::array<RunningKernel, 64> running_kernels;
std::atomic<std::size_t> kernel_threads{0};

/// The place of this thread; null for more threads than there are places.
RunningKernel* own_kernel() {
  static thread_local const std::size_t place = kernel_threads++;
  return place < running_kernels.size() ? &running_kernels[place] : nullptr;
}

void on_interrupt(int number) {
  for (const RunningKernel& kernel : running_kernels) {
    if (!kernel.runs.load(std::memory_order_acquire)) continue;
    const std::size_t length = ::strnlen(kernel.text.data(), kernel.text.size());
    static_cast<void>(::write(STDERR_FILENO, kernel.text.data(), length) < 0);
  }
  ::signal(number, SIG_DFL);
  ::raise(number);  // has its effect after the return
}

std::string assertion_text(Place place, const char* function, const char* assertion) {
  return fmt::format("{}: {}: assertion `{}` failed\n", place_text(place), function, assertion);
}

}  // namespace

void install_fault_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &previous[i]);
    struct sigaction interrupt = {};
    sigaction(SIGINT, nullptr, &interrupt);
    if ((interrupt.sa_flags & SA_SIGINFO) != 0 || interrupt.sa_handler != SIG_DFL) return;
    interrupt.sa_handler = on_interrupt;
    interrupt.sa_flags = SA_ONSTACK;
    sigaction(SIGINT, &interrupt, nullptr);
  });
}

InterruptNotice::InterruptNotice(const KernelLaunch& launch) {
  RunningKernel* const own = own_kernel();
  if (own == nullptr) return;
  const std::string launched =
      launch.line > 0 ? fmt::format(", launched at {},", place_text({launch.file, launch.line})) : "";
  const auto end =
      fmt::format_to_n(own->text.data(), own->text.size() - 1, "\nkernel {}{} has not ended\n", launch.name, launched);
  *end.out = '\0';
  own->runs.store(true, std::memory_order_release);
}
InterruptNotice::~InterruptNotice() {
  if (RunningKernel* const own = own_kernel(); own != nullptr) own->runs.store(false, std::memory_order_release);
}

void Worker::fault_signal(int signal, const void* address) {
  signal_ = signal;
  signal_address_ = address;
  failed_ = true;
  leave_fiber();
}

/// Runs in the scheduler, where memory may be allocated.
void Worker::explain_signal() {
  const int number = signal_;
  signal_ = 0;
  const void* const address = signal_address_;
  std::string what;
  FaultKind kind = FaultKind::illegal_address;
  if (number == SIGFPE) {
    kind = FaultKind::trap;
    what = division_by_zero;
  } else if (number == SIGILL || number == SIGTRAP) {
    kind = FaultKind::trap;
    what = "an illegal instruction, for example after a call of __builtin_trap()";
  } else if (fibers.is_guard(address)) {
    kind = FaultKind::stack_overflow;
    what = "the stack overflowed: a recursion or a local array is too large";
  } else if (what = host_object_text(*launch, address); !what.empty()) {
    what = "illegal address: " + what;
  } else {
    what = fmt::format("illegal address {}", address);
    if (const auto near = allocations->nearest(address, 65536); near != nullptr) {
      const bool reachable =
          launch->devices.empty() || std::ranges::find(launch->devices, near->device) != launch->devices.end();
      what += fmt::format(", {} bytes from the begin of {}{}{}", static_cast<std::ptrdiff_t>(near->offset_of(address)),
                          near->name, near->freed ? ", which is freed" : "",
                          reachable
                              ? ""
                              : fmt::format(": memory of device {}, to which device {} has no peer access. {}",
                                            near->device, launch->device, how_to_reach(near->device, launch->device)));
    }
  }
  fault_ = KernelFault{kind, running() + ": " + what + "\n"};
}

void fail_kernel(const char* what, Place place) {
  Worker* const worker = running_worker();
  if (worker == nullptr) std::abort();
  const OwnCode own;
  worker->fail(FaultKind::trap, fmt::format("{} at {}\n", what, place_text(place)));
}

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are the compiler's.
/// What the compiler tells of an operation that it checks: first its place.
struct CheckedOperation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};
// Kernels are compiled with -fsanitize=integer-divide-by-zero, because ARM's division does not trap. The
// undefined-behaviour sanitizer has a function of its own.
extern "C" __attribute__((weak)) void __ubsan_handle_divrem_overflow(CheckedOperation* operation, void*, void*) {
  if (!d2l::emulator::in_kernel()) return;
  d2l::emulator::fail_kernel(d2l::emulator::division_by_zero, {operation->file, static_cast<int>(operation->line)});
}
// NOLINTEND

// Takes the place of the C library's: an assertion of a kernel ends the kernel.
extern "C" void __assert_fail(const char* assertion, const char* file, unsigned int line,
                              const char* function) noexcept {
  d2l::emulator::Worker* const worker = d2l::emulator::current_state.worker;
  if (worker != nullptr && worker->fiber != nullptr) {
    const d2l::emulator::OwnCode own;
    worker->fail(d2l::emulator::FaultKind::assertion,
                 d2l::emulator::assertion_text({file, static_cast<int>(line)}, function, assertion));
  }
  fmt::print(stderr, "{}:{}: {}: Assertion `{}' failed.\n", file, line, function, assertion);
  std::abort();
}
