// SPDX-License-Identifier: MIT
// Regions: finds the shared variable or the allocation that contains an address.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "execution/worker.h"
#include "order/accesses.h"

namespace d2l::emulator {

/// One access as the shadow memory keeps it: when, by which thread, where, and whether it was atomic.
struct ShadowAccess {
  static constexpr std::uint32_t thread_mask = 1023;  ///< a block has at most 1024 threads
  static constexpr std::uint32_t atomic_bit = 1024;
  static constexpr unsigned meetings_shift = 11;

  std::uint32_t epoch = 0;        ///< of the block and its phase; 0: no access
  std::uint32_t thread_bits = 0;  ///< thread, 10 bits; atomic, 1 bit; meetings of the warp, 21 bits
  std::int32_t place = 0;         ///< the instruction, see compressed_place()

  [[nodiscard]] unsigned thread() const noexcept { return thread_bits & thread_mask; }
  [[nodiscard]] bool atomic() const noexcept { return (thread_bits & atomic_bit) != 0; }
  [[nodiscard]] std::uint32_t meetings() const noexcept { return thread_bits >> meetings_shift; }
  [[nodiscard]] static std::uint32_t thread_bits_of(unsigned thread, bool atomic, unsigned meetings) noexcept {
    return thread | (atomic ? atomic_bit : 0U) | (meetings << meetings_shift);
  }
};

/// The last write of a cell, its first reader since, and the last other reader.
struct Cell {
  ShadowAccess write;
  ShadowAccess read;
  ShadowAccess other_read;
};

struct FreeCells {
  std::size_t mapped = 0;  ///< bytes; 0: from calloc
  void operator()(Cell* cells) const noexcept;
};

/// Cells of 4 bytes each, or of one byte after the first access that is smaller.
class ShadowCells {
 public:
  explicit ShadowCells(const Allocation& of);
  [[nodiscard]] Cell* cells() noexcept { return cells_.get(); }
  [[nodiscard]] std::size_t granularity() const noexcept { return granularity_; }
  void use_single_bytes();
  /// Notes that a launch accesses bytes: touched() then knows where to look.
  void touch(std::size_t offset) noexcept { touched_[offset / chunk_bytes] = 1; }
  /// The accesses of a launch, whose first epoch is given; they are forgotten.
  std::vector<Interval> take_touched(std::uint32_t first_epoch);

 private:
  static constexpr std::size_t chunk_bytes = 1024;
  void allocate();
  std::size_t bytes_;
  std::size_t granularity_ = 4;
  std::unique_ptr<Cell, FreeCells> cells_;
  std::vector<std::uint8_t> touched_;  ///< by chunk
};

struct Region {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
  bool shared = false;
  bool constant = false;
  std::atomic<std::uint8_t>* initialised = nullptr;  ///< the allocation's
  std::shared_ptr<Allocation> allocation;            ///< of a shared variable: made for it
  std::shared_ptr<ShadowCells> shadow;               ///< null until a check needs it

  [[nodiscard]] std::size_t offset_of(const void* address) const noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin);
  }
};

class Regions {
 public:
  explicit Regions(Worker& worker) : worker_(worker) {}

  void begin_launch();
  /// The block's shared variables may have changed.
  void update_shared(const Block& block);
  /// Null if the address is in no shared variable of the block and in no allocation.
  Region* find(const void* address) {
    if (reinterpret_cast<std::uintptr_t>(address) - shared_low_ < shared_span_) {
      for (Region& region : shared_) {
        if (region.offset_of(address) < region.bytes) return &region;
      }
    }
    return find_global(address);
  }
  /// The shared variable that is nearest to an address close to shared memory; null else.
  Region* nearest_shared(const void* address);
  ShadowCells& shadow(Region& region);
  /// The accesses of the launch to memory that others can use, for a launch whose first epoch is given.
  std::vector<MemoryAccesses> take_touched(std::uint32_t first_epoch);
  [[nodiscard]] std::vector<Region>& shared() noexcept { return shared_; }
  void forget_shadows();

 private:
  Region* find_global(const void* address);
  Region* find_allocation(const void* address);

  Worker& worker_;
  std::vector<Region> shared_;
  std::uintptr_t shared_low_ = 0;
  std::size_t shared_span_ = 0;
  std::vector<std::unique_ptr<Region>> recent_;
  std::uint64_t version_ = 0;
  const AllocationTable* table_ = nullptr;
  std::unordered_map<const void*, Region> known_shared_;
  std::unordered_map<std::uint64_t, std::shared_ptr<ShadowCells>> shadows_;
  std::size_t shadow_bytes_ = 0;
  std::unordered_map<std::uint64_t, std::pair<std::shared_ptr<Allocation>, std::shared_ptr<ShadowCells>>>
      touched_;  ///< of the launch, by allocation
};

}  // namespace d2l::emulator
