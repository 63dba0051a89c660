// SPDX-License-Identifier: MIT
// TileStates: where the tiles of more than a warp of a block meet.
#pragma once

#include <array>
#include <cstdint>

namespace d2l::emulator {

/// One tile. What it exchanges has two places: threads may begin the next meeting before all have read the last one's.
struct TileState {
  unsigned arrived = 0;
  unsigned phase = 0;
  std::array<unsigned, 2> sums{};
  std::array<std::uint64_t, 2> bits{};
};
/// The tiles of a block: one of 1024 threads, two of 512, and so on, sixteen of 64.
using TileStates = std::array<TileState, 31>;

}  // namespace d2l::emulator
