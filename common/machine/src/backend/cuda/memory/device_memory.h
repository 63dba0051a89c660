// SPDX-License-Identifier: MIT
// DeviceMemory: a CUDA memory pool, the counts of its allocations, and an optional limit.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "backend/cuda/discovery/discovery.h"
#include "base/non_copyable.h"
#include "d2l/device.h"

namespace d2l::backend::cuda {

class DeviceMemory : detail::NonCopyable {
 public:
  /// A pool on `card`, which must be the current card. It caches released memory; at most `limit` bytes are allocated
  /// at a time.
  DeviceMemory(const Card& card, std::optional<std::int64_t> limit);
  ~DeviceMemory();

  [[nodiscard]] cudaMemPool_t pool() const noexcept { return pool_; }

  /// Memory in the order of `stream`; null if there is not enough.
  [[nodiscard]] void* try_allocate(std::size_t bytes, cudaStream_t stream);
  /// Counts memory as released; free_in() releases it in the order of `stream`, which must be that of all allocations.
  void count_release(std::size_t bytes) noexcept;
  void free_in(cudaStream_t stream, void* memory, std::size_t bytes) noexcept;

  /// Memory for the duration of a kernel, which counts against the limit; OutOfMemoryError if there is not enough.
  [[nodiscard]] void* allocate_scratch(std::size_t bytes, cudaStream_t stream);
  void free_scratch(cudaStream_t stream, void* memory) noexcept;

  /// Returns cached blocks to the pool, in the order of `stream`.
  void empty_cache(cudaStream_t stream) noexcept;
  /// Returns unused memory of the pool to the card.
  void trim() noexcept;
  /// Allows another card to read and write this pool's memory.
  void open_to(int card);
  [[nodiscard]] MemoryInfo info() const;
  /// The most that MemoryInfo::reserved was since reset_max_reserved().
  [[nodiscard]] std::int64_t max_reserved() const { return pool_bytes(cudaMemPoolAttrReservedMemHigh); }
  void reset_max_reserved();

 private:
  [[nodiscard]] std::int64_t pool_bytes(cudaMemPoolAttr attribute) const;
  bool charge(std::int64_t bytes) noexcept;
  /// A cached block, or one of the pool; null if there is not enough memory.
  void* take(std::int64_t size, cudaStream_t stream);

  const std::int64_t total_;  // bytes of the card
  std::optional<std::int64_t> limit_;
  cudaMemPool_t pool_ = nullptr;
  std::atomic<std::int64_t> requested_{0};  // bytes as requested
  std::atomic<std::int64_t> charged_{0};    // bytes rounded up to the pool's steps
  std::atomic<std::int64_t> blocks_{0};
  // Small blocks that were freed in the stream: the next work in the stream may use them again, without a call of CUDA.
  mutable std::mutex mutex_;
  std::unordered_map<std::int64_t, std::vector<void*>> cached_;  // by size
  std::int64_t cached_bytes_ = 0;
  std::unordered_map<void*, std::int64_t> scratch_;  // sizes
};

// The owner of an address, as the driver reports it.

/// The pool that allocated the memory at `address`; null if none did. `card` becomes the current card.
cudaMemPool_t pool_of(const void* address, int card);
/// CUDA's number of the card that contains `address`; nullopt for host memory.
std::optional<int> card_of(const void* address);

}  // namespace d2l::backend::cuda
