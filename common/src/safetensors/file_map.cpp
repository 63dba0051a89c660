// SPDX-License-Identifier: MIT
// Copying from a map of a file. Another process may cut the file short meanwhile; its pages are then a SIGBUS away.
#include "safetensors/file_map.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/chain_signal.h"

namespace d2l::detail::safetensors {
namespace {

/// The map that a thread is copying from.
thread_local FileMap* volatile map_of_thread = nullptr;
struct sigaction previous_action;

/// Lets the copy go on with zeros: it is worth nothing, but it comes to its end.
void on_bus_error(int signal, siginfo_t* information, void* context) {
  const int error = errno;
  FileMap* map = map_of_thread;
  const bool ours = map != nullptr && information->si_code > 0 && map->give_up(information->si_addr);
  if (!ours) chain_signal(signal, information, context, previous_action);
  errno = error;
}

/// Once for the process; any other SIGBUS goes on to the handler that was there before.
void install_handler() noexcept {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, &previous_action) == 0;
  }();
  static_cast<void>(installed);
}

}  // namespace

FileMap::FileMap(int file, std::int64_t size) noexcept : size_(static_cast<std::size_t>(size)) {
  if (size == 0) return;
  void* map = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) bytes_ = static_cast<char*>(map);
}

FileMap::~FileMap() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
}

// On one thread: two were measured to take twice as long, for they add pages to one table.
bool FileMap::copy(std::int64_t offset, void* memory, std::int64_t bytes) noexcept {
  if (bytes_ == nullptr || lost_) return false;
  install_handler();
  map_of_thread = this;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  std::memcpy(memory, bytes_ + offset, static_cast<std::size_t>(bytes));
  std::atomic_signal_fence(std::memory_order_seq_cst);
  map_of_thread = nullptr;
  // Another thread may have met the end of the file, and put zeros where this one read.
  return !lost_;
}

bool FileMap::give_up(const void* address) noexcept {
  const auto* byte = static_cast<const char*>(address);
  if (byte < bytes_ || byte >= bytes_ + size_) return false;
  lost_ = true;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<std::size_t>(byte - bytes_) / page * page;
  return ::mmap(bytes_ + begin, size_ - begin, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

}  // namespace d2l::detail::safetensors
