// SPDX-License-Identifier: MIT
// BlockSource: the blocks of a launch in the order in which they start, for all cores that run them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "execution/order.h"

namespace d2l::emulator {

/// A permutation of 0..n-1: groups of neighbours in a drawn order, and each group in a drawn order. Neighbours mostly
/// use memory near each other, so that a whole grid in a random order would wait for memory. For the same reason the
/// blocks of a group in a large grid are in one direction, which is drawn, and their threads in the same one.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t count, std::uint64_t seed, bool straight = false) noexcept
      : count_(count), seed_(seed), straight_(straight), groups_((count + group - 1) / group, seed) {}

  /// A grid of so many blocks has groups in both directions, so that a kernel that relies on one fails.
  static constexpr std::uint64_t large_grid = 1024;
  /// True if the group of the block is in descending order.
  static bool is_down(std::uint64_t block, std::uint64_t seed) noexcept {
    return seed != 0 && mix(seed ^ (block / group * group)) % 2 != 0;
  }

  std::uint64_t next() noexcept {
    if (left_in_group_ == 0) {
      first_ = groups_.next() * group;
      left_in_group_ = std::min(group, count_ - first_);
      in_group_ = straight_ ? Order::straight(left_in_group_, is_down(first_, seed_))
                            : Order(left_in_group_, seed_ == 0 ? 0 : mix(seed_ ^ first_) | 1U);
    }
    --left_in_group_;
    return first_ + in_group_.next();
  }

 private:
  static constexpr std::uint64_t group = 32;
  std::uint64_t count_;
  std::uint64_t seed_;
  bool straight_;
  Order groups_;
  Order in_group_;
  std::uint64_t first_ = 0;
  std::uint64_t left_in_group_ = 0;
};

/// Gives each block to one of the cores.
class BlockSource {
 public:
  /// `loops`: the kernel is a loop over threads, which is fast enough to wait for memory.
  BlockSource(std::uint64_t blocks, std::uint64_t seed, bool loops) noexcept
      : seed_(seed),
        straight_(loops && blocks >= BlockOrder::large_grid),
        order_(blocks, seed, straight_),
        left_(blocks) {}

  /// The order of the threads of a block.
  [[nodiscard]] Order threads_of(std::uint64_t block, unsigned threads) const noexcept {
    if (straight_) return Order::straight(threads, BlockOrder::is_down(block, seed_));
    return {threads, seed_ == 0 ? 0 : mix(seed_ ^ (block + 1)) | 1U};
  }

  /// The next block; false if all have been taken.
  bool take(std::uint64_t& number) {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return false;
    --left_;
    number = order_.next();
    return true;
  }
  [[nodiscard]] bool empty() {
    const std::lock_guard lock(mutex_);
    return left_ == 0;
  }
  /// After a fault of a block: the other cores stop.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  // For the watchdog.
  /// A block has ended or has passed a barrier. Several cores may call it at once: the number is to change, no more.
  void note_progress() noexcept {
    progress_.store(progress_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t progress() const noexcept { return progress_.load(std::memory_order_relaxed); }
  /// Perhaps the kernel never ends; `report` is what to say if that is so.
  void suspect(std::string report) {
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
    suspicions_.fetch_add(1, std::memory_order_release);
  }
  /// How many times it was suspected.
  [[nodiscard]] std::uint64_t suspicions() const noexcept { return suspicions_.load(std::memory_order_acquire); }
  [[nodiscard]] std::string report() {
    const std::lock_guard lock(mutex_);
    return report_;
  }
  /// What the kernel does next does not depend on memory only.
  void note_clock() noexcept { reads_clock_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool reads_clock() const noexcept { return reads_clock_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t seed_;
  bool straight_;
  std::mutex mutex_;
  BlockOrder order_;
  std::uint64_t left_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> progress_{0};
  std::atomic<std::uint64_t> suspicions_{0};
  std::atomic<bool> reads_clock_{false};
  std::string report_;
};

}  // namespace d2l::emulator
