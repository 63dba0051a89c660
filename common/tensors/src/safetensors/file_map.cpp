// SPDX-License-Identifier: MIT
// Copies from a memory map of a file. When another process truncates the file, reading the lost pages raises SIGBUS.
#include "safetensors/file_map.h"

#include <signal.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/chain_signal.h"
#include "base/page_size.h"

namespace d2l::detail::safetensors {
namespace {

/// The map that a thread is copying from.
thread_local FileMap* volatile map_of_thread = nullptr;
struct sigaction previous_action;

/// Lets the copy continue with zeros; copy() then reports the failure.
void on_bus_error(int signal, siginfo_t* information, void* context) {
  const int error = errno;
  FileMap* map = map_of_thread;
  const bool ours = map != nullptr && information->si_code > 0 && map->map_zeros(information->si_addr);
  if (!ours) chain_signal(signal, information, context, previous_action);
  errno = error;
}

/// Installs the handler once per process; it passes any other SIGBUS to the previous handler.
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

// On one thread: two threads took twice as long, because both add pages to the same page table.
bool FileMap::copy(std::int64_t offset, void* memory, std::int64_t bytes) noexcept {
  if (bytes_ == nullptr || lost_) return false;
  install_handler();
  map_of_thread = this;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  std::memcpy(memory, bytes_ + offset, static_cast<std::size_t>(bytes));
  std::atomic_signal_fence(std::memory_order_seq_cst);
  map_of_thread = nullptr;
  // Another thread may have reached the end of the file and mapped zeros where this thread read.
  return !lost_;
}

bool FileMap::map_zeros(const void* address) noexcept {
  const auto* byte = static_cast<const char*>(address);
  if (byte < bytes_ || byte >= bytes_ + size_) return false;
  lost_ = true;
  const std::size_t page = page_bytes();
  const auto begin = static_cast<std::size_t>(byte - bytes_) / page * page;
  return ::mmap(bytes_ + begin, size_ - begin, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

}  // namespace d2l::detail::safetensors
