// SPDX-License-Identifier: MIT
// StagingBuffer: the contents of pageable host memory at the time when a copy from it was issued.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

#include "backend/cpu/host_memory.h"

namespace d2l::backend {

/// Memory of the caching allocator, because the first touch of fresh memory is slow.
class StagingBuffer {
 public:
  StagingBuffer() = default;
  /// Copies `bytes` bytes from `source`; OutOfMemoryError if there is not enough host memory.
  StagingBuffer(const void* source, std::size_t bytes) : memory_(host_memory::allocate(bytes), Release{bytes}) {
    std::memcpy(memory_.get(), source, bytes);
  }

  [[nodiscard]] const void* data() const noexcept { return memory_.get(); }

 private:
  struct Release {
    std::size_t bytes;
    void operator()(void* memory) const noexcept { host_memory::release(memory, bytes); }
  };
  std::unique_ptr<void, Release> memory_;
};

}  // namespace d2l::backend
