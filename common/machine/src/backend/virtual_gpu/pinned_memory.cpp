// SPDX-License-Identifier: MIT
#include "backend/virtual_gpu/pinned_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

namespace d2l::backend {
namespace {

constexpr std::align_val_t alignment{64};

struct Blocks {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> bytes;  ///< by address
};

Blocks& blocks() {
  static auto* const made = new Blocks;
  return *made;
}

std::atomic<void (*)(const void*)> watcher{nullptr};

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

void* allocate_pinned_memory(std::size_t bytes) noexcept {
  bytes = std::max<std::size_t>(bytes, 1);
  void* const memory = ::operator new(bytes, alignment, std::nothrow);
  if (memory == nullptr) return nullptr;
  try {
    const std::lock_guard lock(blocks().mutex);
    blocks().bytes[number(memory)] = bytes;
    return memory;
  } catch (...) {
    ::operator delete(memory, alignment);
    return nullptr;
  }
}

void release_pinned_memory(void* memory) noexcept {
  if (const auto forget = watcher.load()) forget(memory);
  {
    const std::lock_guard lock(blocks().mutex);
    blocks().bytes.erase(number(memory));
  }
  ::operator delete(memory, alignment);
}

std::optional<std::pair<void*, std::size_t>> pinned_block_at(const void* address) {
  const std::lock_guard lock(blocks().mutex);
  const auto next = blocks().bytes.upper_bound(number(address));
  if (next == blocks().bytes.begin()) return std::nullopt;
  const auto& [begin, bytes] = *std::prev(next);
  const std::uintptr_t offset = number(address) - begin;
  if (offset >= bytes) return std::nullopt;
  return std::pair{static_cast<void*>(static_cast<std::byte*>(const_cast<void*>(address)) - offset), bytes};
}

void watch_pinned_releases(void (*forget)(const void* begin)) noexcept { watcher = forget; }

}  // namespace d2l::backend
