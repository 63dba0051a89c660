// SPDX-License-Identifier: MIT
// Page-locked blocks, whose sizes are powers of two.
#include "backend/cuda/memory/pinned_memory.h"

#include <algorithm>
#include <bit>

#include "backend/cuda/errors/check.h"

namespace d2l::backend::cuda {
namespace {

constexpr std::size_t smallest = 4096;
/// Larger blocks have the exact size and are not cached.
constexpr std::size_t largest_kept = std::size_t{64} << 20;
constexpr std::size_t max_kept = std::size_t{256} << 20;

std::size_t block_size(std::size_t bytes) {
  return bytes > largest_kept ? bytes : std::bit_ceil(std::max(bytes, smallest));
}

}  // namespace

void* PinnedMemory::allocate(std::size_t bytes) {
  const std::size_t size = block_size(bytes);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = free_.find(size); found != free_.end() && !found->second.empty()) {
      void* memory = found->second.back();
      found->second.pop_back();
      kept_ -= size;
      return memory;
    }
  }
  void* memory = nullptr;
  D2L_CUDA_CHECK(cudaHostAlloc(&memory, size, cudaHostAllocPortable));
  return memory;
}

void PinnedMemory::release(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  const std::size_t size = block_size(bytes);
  try {
    const std::lock_guard lock(mutex_);
    if (size <= largest_kept && kept_ + size <= max_kept) {
      free_[size].push_back(memory);
      kept_ += size;
      return;
    }
  } catch (...) {  // the cache cannot grow: the block is freed
  }
  ignore(cudaFreeHost(memory));
}

PinnedMemory& pinned_memory() {
  // Never destroyed: at the end of the process CUDA may be shut down before it.
  static auto* const memory = new PinnedMemory;
  return *memory;
}

}  // namespace d2l::backend::cuda
