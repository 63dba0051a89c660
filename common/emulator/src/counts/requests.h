// SPDX-License-Identifier: MIT
// What one request of a warp costs on a card: sectors of global memory, passes of shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "execution/lanes.h"

namespace d2l::emulator {

/// The lower 32 bits of the addresses of a request by lane, and the lanes that take part.
struct RequestedAddresses {
  const std::array<std::uint32_t, max_lanes>& by_lane;
  LaneBits lanes;
  std::uint32_t bytes;  ///< of each lane; at most 16
};

/// How many different sectors of 32 bytes the lanes touch.
unsigned count_sectors(const RequestedAddresses& request);
/// How many different bytes the lanes ask for; a byte that several lanes read is one.
unsigned count_bytes(const RequestedAddresses& request);
/// The largest number of different words in one bank, summed over the parts of the warp that are served at once.
unsigned count_passes(const RequestedAddresses& request);

}  // namespace d2l::emulator
