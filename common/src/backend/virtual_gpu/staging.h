// SPDX-License-Identifier: MIT
// StagingBuffer: what pageable host memory held when a copy from it was issued.
#pragma once

#include <cstddef>
#include <memory>

namespace d2l::backend {

/// Bytes on the heap, kept for the next copy when they are given back, since fresh memory is slow to touch.
class StagingBuffer {
 public:
  StagingBuffer() = default;
  /// A copy of `bytes` bytes from `source`.
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
