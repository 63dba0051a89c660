// SPDX-License-Identifier: MIT
// The lanes of a warp as bits, and how many lanes the warps of this process have.
#pragma once

#include <bit>
#include <cstdint>

namespace d2l::emulator {

/// Bit i is lane i.
using LaneBits = std::uint64_t;

/// The most lanes that a warp can have.
constexpr unsigned max_lanes = 64;
/// The lanes that execute a function for matrices together: there are such functions for warps of 32 only.
constexpr unsigned matrix_lanes = 32;

/// The number of lanes is 2 to the power of this; see use_warps_of_64_lanes().
inline unsigned warp_shift = 5;
/// The lanes of a warp: 32, or 64 in a program that was compiled for such warps, as AMD's cards have them.
inline unsigned warp_size() noexcept { return 1U << warp_shift; }
/// The number of a thread's warp, and its lane there.
inline unsigned warp_of(unsigned thread) noexcept { return thread >> warp_shift; }
inline unsigned lane_of(unsigned thread) noexcept { return thread & (warp_size() - 1); }

inline LaneBits lane_bit(unsigned lane) noexcept { return LaneBits{1} << lane; }
inline bool has_lane(LaneBits lanes, unsigned lane) noexcept { return (lanes >> lane & 1U) != 0; }
inline LaneBits all_lanes() noexcept { return ~LaneBits{0} >> (max_lanes - warp_size()); }

template <class Action>
void for_each_lane(LaneBits lanes, Action action) {
  for (; lanes != 0; lanes &= lanes - 1) action(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace d2l::emulator
