// SPDX-License-Identifier: MIT
// Tiles of more threads than a warp has: how their threads meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "d2l_emulator/indices.h"
#include "d2l_emulator/language.h"
#include "d2l_emulator/warp.h"

namespace d2l::emulator {

/// What the threads of a tile get when all have come.
struct TileMeeting {
  unsigned sum;
  std::uint64_t bits;
};
/// Waits for the other threads of the calling thread's tile, which has `size` threads of the block: 64 to 512. All get
/// the sum of what they add, and the bits of the thread that brings some.
TileMeeting meet_in_tile(unsigned size, unsigned add, bool brings, std::uint64_t bits, Place place);

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
namespace cooperative_groups {

/// The functions of a tile of 64, 128, 256 or 512 threads.
template <unsigned Size>
class large_tile {
  static_assert(Size <= 512 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, 8 … 256 or 512 threads");

 public:
  static void sync(d2l::emulator::Place place = d2l::emulator::Place::here()) { meet(0, false, 0, place); }
  static int any(int predicate, d2l::emulator::Place place = d2l::emulator::Place::here()) {
    return meet(predicate != 0 ? 1 : 0, false, 0, place).sum != 0 ? 1 : 0;
  }
  static int all(int predicate, d2l::emulator::Place place = d2l::emulator::Place::here()) {
    return meet(predicate != 0 ? 0 : 1, false, 0, place).sum == 0 ? 1 : 0;
  }
  /// `rank` is the same in all threads.
  template <class T>
  static T shfl(T value, unsigned rank, d2l::emulator::Place place = d2l::emulator::Place::here()) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>,
                  "a tile of more threads than a warp has exchanges values of at most 8 bytes");
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = meet(0, d2l::emulator::thread_number() % Size == rank, bits, place).bits;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  }

 private:
  static d2l::emulator::TileMeeting meet(unsigned add, bool brings, std::uint64_t bits, d2l::emulator::Place place) {
    return d2l::emulator::meet_in_tile(Size, add, brings, bits, place);
  }
};

/// Shared memory for such tiles, which older cards need. Here it is not used.
template <unsigned MaxBlockSize = 1024>
struct alignas(8) block_tile_memory {
  unsigned char unused[64 + MaxBlockSize / 32 * 8];
};

}  // namespace cooperative_groups
// NOLINTEND
