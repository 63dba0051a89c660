// SPDX-License-Identifier: MIT
// How many lanes the warps of the program have: 32 as on NVIDIA's cards, or 64 as on AMD's of the series Instinct, in a
// program that is compiled with D2L_WARP_SIZE=64.
#pragma once

#include <type_traits>

#ifndef D2L_WARP_SIZE
#define D2L_WARP_SIZE 32
#endif
static_assert(D2L_WARP_SIZE == 32 || D2L_WARP_SIZE == 64, "D2L_WARP_SIZE is 32 or 64");

namespace d2l::emulator {

/// Bit i is lane i of a warp.
using LaneMask = std::conditional_t<D2L_WARP_SIZE == 64, unsigned long long, unsigned>;
constexpr LaneMask whole_warp = ~LaneMask{0};

/// From now on, the warps of this process have 64 lanes. It must not have run a kernel.
void use_warps_of_64_lanes() noexcept;
#if D2L_WARP_SIZE == 64
inline const bool has_warps_of_64_lanes = (use_warps_of_64_lanes(), true);
#endif

}  // namespace d2l::emulator
