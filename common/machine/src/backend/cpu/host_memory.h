// SPDX-License-Identifier: MIT
// A caching allocator for host memory: the first access to new memory costs far more time than the work on it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace d2l::backend::host_memory {

/// At least `bytes` bytes, aligned to 64; OutOfMemoryError if they are not available. Any thread may call it.
void* allocate(std::size_t bytes);
/// Gives a block back to the allocator; `bytes` is the requested size. Any thread may call it.
void release(void* memory, std::size_t bytes) noexcept;
/// Returns the cached blocks of the calling thread and of the shared pool to the system.
void trim() noexcept;

/// Bytes allocated from the system, and bytes requested for live blocks.
struct Usage {
  std::int64_t reserved = 0;
  std::int64_t requested = 0;
};
Usage usage();

/// The bytes of main memory that the machine has, and those that are still available.
struct SystemMemory {
  std::int64_t total = 0;
  std::int64_t available = 0;
};
SystemMemory system_memory();

}  // namespace d2l::backend::host_memory
