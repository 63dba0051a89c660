// SPDX-License-Identifier: MIT
// MemoryPool: which parts of an arena are allocated. It handles offsets and sizes and touches no memory.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace d2l::backend {

/// Best fit with coalescing. A released small block is kept in a list of its size, and coalesced when space runs out.
class MemoryPool {
 public:
  /// Offsets and sizes of blocks are multiples of this.
  static constexpr std::size_t granularity = 512;
  /// The pool reserves memory of the device in these steps.
  static constexpr std::size_t segment = std::size_t{2} << 20;

  struct Block {
    std::size_t offset;
    std::size_t fresh_begin;  ///< bytes [fresh_begin, fresh_end) were never allocated before
    std::size_t fresh_end;
  };
  /// All in bytes, except `blocks`.
  struct Usage {
    std::size_t requested = 0;
    std::size_t allocated = 0;     ///< the requested bytes, rounded up for each block
    std::size_t reserved = 0;      ///< segments reserved on the device
    std::size_t max_reserved = 0;  ///< the most since reset_max_reserved()
    std::size_t free = 0;          ///< capacity minus allocated
    std::size_t largest = 0;       ///< the largest block that can be allocated
    std::size_t blocks = 0;
  };

  /// `gap`: bytes that stay free after each block.
  explicit MemoryPool(std::size_t capacity, std::size_t gap = 0);

  /// A block of at least `bytes` bytes; nullopt if no free block is large enough.
  std::optional<Block> allocate(std::size_t bytes);
  /// Releases a block, without allocating; `bytes` is the size that was requested.
  void release(std::size_t offset, std::size_t bytes) noexcept;
  [[nodiscard]] Usage usage();
  /// Returns the segments after the last block to the device.
  void trim() noexcept;
  void reset_max_reserved() noexcept;
  /// The offset and the requested bytes of the block that contains an offset; nullopt if it is free.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> block_at(std::size_t offset);

 private:
  static constexpr std::size_t small_classes = 128;

  /// Free blocks by size and offset.
  using Sizes = std::set<std::pair<std::size_t, std::size_t>>;
  /// A part of the arena. It has all the memory that its release needs, so that a release cannot fail.
  struct Part {
    std::size_t size = 0;
    std::size_t requested = 0;  ///< 0 once it is released
    bool free = false;
    Sizes::node_type node{};                                   ///< for free_by_size_, while the part is not free
    std::pair<const std::size_t, Part>* next_small = nullptr;  ///< the next released block of its size
  };
  using Parts = std::map<std::size_t, Part>;

  std::optional<std::size_t> take(std::size_t size);
  std::optional<std::size_t> take_best_fit(std::size_t size);
  Parts::iterator make_part(std::size_t offset, std::size_t size);
  void insert_free(Parts::iterator part) noexcept;
  void remove_free(Parts::iterator part) noexcept;
  void coalesce_small_blocks() noexcept;
  /// The bytes of the segments that contain the first `end` bytes.
  [[nodiscard]] std::size_t segments_up_to(std::size_t end) const noexcept;
  [[nodiscard]] std::size_t rounded(std::size_t bytes) const noexcept;

  std::mutex mutex_;
  std::size_t capacity_;
  std::size_t gap_;
  std::size_t high_water_ = 0;    ///< the end of what was ever allocated
  std::size_t reserved_end_ = 0;  ///< the end of what was allocated since the last trim()
  std::size_t max_reserved_ = 0;
  std::size_t requested_ = 0;
  std::size_t allocated_ = 0;
  std::size_t blocks_ = 0;
  Parts parts_;  ///< by offset; they cover the arena
  Sizes free_by_size_;
  std::array<Parts::value_type*, small_classes> small_blocks_{};  ///< released, and not yet coalesced
};

}  // namespace d2l::backend
