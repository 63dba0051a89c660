// SPDX-License-Identifier: MIT
// A handler of SIGSEGV and SIGBUS that explains faults in device memory, then calls the previous handler.
#include "backend/virtual_gpu/fault_handler.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/chain_signal.h"
#include "values/gpu_type.h"

namespace d2l::backend {
namespace {

/// Written under a mutex, but read by the handler without it: so `end` is set last and cleared first.
struct GuardedRange {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::array<char, 64> device{};  ///< its name
};

constexpr std::size_t max_ranges = 256;
std::array<GuardedRange, max_ranges> ranges;
struct sigaction previous_segv;
struct sigaction previous_bus;

/// Writes a message if the address is in the memory of a device. It formats numbers into a fixed buffer, which is safe
/// in a signal handler.
void explain(std::uintptr_t address) {
  for (const auto& range : ranges) {
    if (address >= range.end.load() || address < range.begin.load()) continue;
    std::array<char, 256> line{};
    const auto end = fmt::format_to_n(line.data(), line.size(),
                                      "host code read memory of {} (virtual GPU) at {:#x}; copy it with .cpu() "
                                      "or cudaMemcpy first\n",
                                      range.device.data(), address)
                         .out;
    const char* rest = line.data();
    while (rest < end) {
      const ssize_t written = write(STDERR_FILENO, rest, static_cast<std::size_t>(end - rest));
      if (written <= 0) return;
      rest += written;
    }
    return;
  }
}

void on_fault(int signal, siginfo_t* information, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
  if (information->si_code > 0) explain(address);
  detail::chain_signal(signal, information, context, signal == SIGBUS ? previous_bus : previous_segv);
  errno = error;
}

void install() {
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
}

std::mutex ranges_mutex;

}  // namespace

int guard_addresses(int device, const void* begin, std::size_t bytes) {
  const std::lock_guard lock(ranges_mutex);
  static const bool installed = (install(), true);
  static_cast<void>(installed);
  for (std::size_t slot = 0; slot < max_ranges; ++slot) {
    auto& range = ranges[slot];
    if (range.end.load() != 0) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    const std::string name = detail::gpu_number(device).str();
    range.device = {};
    name.copy(range.device.data(), range.device.size() - 1);
    range.begin = first;
    range.end = first + bytes;
    return static_cast<int>(slot);
  }
  return -1;
}

void unguard_addresses(int slot) noexcept {
  if (slot < 0) return;
  const std::lock_guard lock(ranges_mutex);
  ranges[static_cast<std::size_t>(slot)].end = 0;
}

}  // namespace d2l::backend
