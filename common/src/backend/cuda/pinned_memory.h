// SPDX-License-Identifier: MIT
// PinnedMemory: page-locked host memory, kept for use again because the system takes long to lock pages.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace d2l::backend::cuda {

class PinnedMemory {
 public:
  /// Memory that every card reads; OutOfMemoryError. A card must be current.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// `bytes` as it was asked for; no copy may be under way.
  void release(void* memory, std::size_t bytes) noexcept;

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;  // by size, a power of two
  std::size_t kept_ = 0;                            // bytes in free_
};

}  // namespace d2l::backend::cuda
