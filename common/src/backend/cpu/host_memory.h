// SPDX-License-Identifier: MIT
// Host memory that is kept and used again: the first touch of fresh memory costs far more than the work on it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace d2l::backend::host_memory {

/// At least `bytes` bytes, aligned to 64; OutOfMemoryError when there are not as many. Any thread may ask.
void* allocate(std::size_t bytes);
/// Gives a block back, with the size that was asked for; from any thread.
void release(void* memory, std::size_t bytes) noexcept;
/// Hands what the calling thread and the shared pool keep back to the system.
void trim() noexcept;

/// Bytes in blocks that are taken from the system, and bytes that live blocks were asked for.
struct Usage {
  std::int64_t reserved = 0;
  std::int64_t requested = 0;
};
Usage usage();

/// Bytes of main memory that the machine has, and that can still be had.
struct SystemMemory {
  std::int64_t total = 0;
  std::int64_t available = 0;
};
SystemMemory system_memory();

}  // namespace d2l::backend::host_memory
