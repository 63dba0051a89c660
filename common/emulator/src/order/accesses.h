// SPDX-License-Identifier: MIT
// MemoryAccesses: which bytes of an allocation an operation uses, and how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "execution/allocation_table.h"

namespace d2l::emulator {

/// How bytes are used; several may hold.
enum AccessBits : std::uint8_t {
  plain_read = 1,
  plain_write = 2,
  atomic_use = 4,
  release_use = 8,     ///< the bytes are freed
  allocation_use = 16  ///< the bytes are allocated
};

/// The bytes [begin, end) of an allocation.
struct Interval {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint8_t bits = 0;
  const void* read_at = nullptr;   ///< the instruction; null if there is none
  const void* write_at = nullptr;  ///< of a write or an atomic access
};

struct MemoryAccesses {
  std::shared_ptr<const Allocation> allocation;
  std::vector<Interval> intervals;
};

constexpr std::uint8_t changing_bits = plain_write | release_use | allocation_use;

/// True if two uses of a byte need an order: one changes it, and they are not both atomic.
constexpr bool need_order(std::uint8_t a, std::uint8_t b) noexcept {
  const auto changes = [](std::uint8_t one, std::uint8_t other) {
    return (one & changing_bits) != 0 || ((one & atomic_use) != 0 && (other & ~atomic_use) != 0);
  };
  return changes(a, b) || changes(b, a);
}

/// A byte that two operations use.
struct Overlap {
  std::size_t offset;
  Interval earlier;
  Interval later;
};
/// The first such byte for which `wanted(bits of the earlier, bits of the later)`.
std::optional<Overlap> find_overlap(const std::vector<Interval>& earlier, const std::vector<Interval>& later,
                                    bool (*wanted)(std::uint8_t, std::uint8_t));
/// True if each interval of `small` is within one of `large` that uses the bytes in all of its ways.
bool covers(const std::vector<Interval>& large, const std::vector<Interval>& small);

}  // namespace d2l::emulator
