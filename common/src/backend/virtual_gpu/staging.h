// SPDX-License-Identifier: MIT
// StagingBuffer: the contents of pageable host memory at the time when a copy from it was issued.
#pragma once

#include <cstddef>
#include <memory>

namespace d2l::backend {

/// Heap memory that is cached for the next copy when released, because the first touch of fresh memory is slow.
class StagingBuffer {
 public:
  StagingBuffer() = default;
  /// Copies `bytes` bytes from `source`.
  StagingBuffer(const void* source, std::size_t bytes);
  ~StagingBuffer();
  StagingBuffer(StagingBuffer&&) noexcept = default;
  StagingBuffer& operator=(StagingBuffer&&) noexcept = default;

  [[nodiscard]] const void* data() const noexcept { return memory_.get(); }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t capacity_ = 0;
};

}  // namespace d2l::backend
