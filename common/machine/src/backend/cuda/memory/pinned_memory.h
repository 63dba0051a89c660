// SPDX-License-Identifier: MIT
// PinnedMemory: a cache of page-locked host memory, because locking pages is slow.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace d2l::backend::cuda {

class PinnedMemory {
 public:
  /// Memory that every card can access; OutOfMemoryError if there is not enough. A card must be current.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// `bytes` is the size that was requested. No copy may still use the memory.
  void release(void* memory, std::size_t bytes) noexcept;

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;  // by size, a power of two
  std::size_t kept_ = 0;                            // bytes in free_
};
/// The cache of this process.
PinnedMemory& pinned_memory();

}  // namespace d2l::backend::cuda
