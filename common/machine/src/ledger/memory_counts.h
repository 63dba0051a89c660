// SPDX-License-Identifier: MIT
// The counts of the memory that tensors of GPUs use. Each allocation of a tensor is counted where it is made, so that
// the counts are the same for every kind of GPU.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "d2l/device.h"

namespace d2l::detail {

/// A number that goes up and down, with its peak. Any thread may change it.
class PeakCount {
 public:
  void add(std::int64_t amount) noexcept {
    all_.fetch_add(amount, std::memory_order_relaxed);
    raise_peak(current_.fetch_add(amount, std::memory_order_relaxed) + amount);
  }
  void subtract(std::int64_t amount) noexcept { current_.fetch_sub(amount, std::memory_order_relaxed); }
  void reset_peak() noexcept {
    peak_.store(current(), std::memory_order_relaxed);
    raise_peak(current());  // another thread may have added in between
  }
  [[nodiscard]] std::int64_t current() const noexcept { return current_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t peak() const noexcept { return peak_.load(std::memory_order_relaxed); }
  /// What was added so far.
  [[nodiscard]] std::int64_t all() const noexcept { return all_.load(std::memory_order_relaxed); }

 private:
  void raise_peak(std::int64_t value) noexcept {
    std::int64_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < value && !peak_.compare_exchange_weak(peak, value, std::memory_order_relaxed)) {
    }
  }

  std::atomic<std::int64_t> current_{0};
  std::atomic<std::int64_t> peak_{0};
  std::atomic<std::int64_t> all_{0};
};

/// Of one GPU.
struct MemoryCounts {
  PeakCount allocated;  ///< bytes, rounded up for each block
  PeakCount requested;  ///< bytes
  PeakCount blocks;
};

/// The bytes that a block counts as: on GPUs a multiple of 512, which is the step of every pool.
[[nodiscard]] constexpr std::int64_t allocated_bytes(std::int64_t requested, bool on_gpu) noexcept {
  constexpr std::int64_t step = 512;
  return on_gpu ? (requested + step - 1) / step * step : requested;
}

/// The counts of a GPU; it need not exist.
[[nodiscard]] MemoryCounts& memory_counts(int gpu) noexcept;
///@{
/// Notes that a block of a GPU was allocated or released.
void count_allocation(int gpu, std::size_t bytes) noexcept;
void count_release(int gpu, std::size_t bytes) noexcept;
///@}

}  // namespace d2l::detail
