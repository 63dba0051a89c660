// SPDX-License-Identifier: MIT
// DeviceMemory: one CUDA memory pool, what was taken from it, and a limit where there is one.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/cuda/discovery.h"
#include "d2l/device.h"

namespace d2l::backend::cuda {

class DeviceMemory {
 public:
  /// A pool on `card`, the current one, which keeps what it gets; at most `limit` bytes are given out at a time.
  DeviceMemory(const Card& card, std::optional<std::int64_t> limit);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  [[nodiscard]] cudaMemPool_t pool() const noexcept { return pool_; }

  /// Memory in the order of `stream`; null when there is not enough.
  [[nodiscard]] void* try_allocate(std::size_t bytes, cudaStream_t stream);
  /// Counts memory as given back; free_in does so on the card.
  void count_release(std::size_t bytes) noexcept;
  static void free_in(cudaStream_t stream, void* memory) noexcept;

  /// Memory for the length of a kernel, beside the limit; OutOfMemoryError.
  [[nodiscard]] void* allocate_scratch(std::size_t bytes, cudaStream_t stream);

  /// Gives the card what no tensor uses.
  void trim() noexcept;
  /// Lets another card read and write this pool's memory.
  void open_to(int card);
  [[nodiscard]] MemoryInfo info() const;

 private:
  [[nodiscard]] std::int64_t pool_bytes(cudaMemPoolAttr attribute) const;
  bool charge(std::int64_t bytes) noexcept;

  std::optional<std::int64_t> limit_;
  cudaMemPool_t pool_ = nullptr;
  std::atomic<std::int64_t> requested_{0};  // as tensors asked
  std::atomic<std::int64_t> charged_{0};    // in the pool's steps
  std::atomic<std::int64_t> blocks_{0};
};

}  // namespace d2l::backend::cuda
