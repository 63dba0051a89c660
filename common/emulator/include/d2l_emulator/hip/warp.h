// SPDX-License-Identifier: MIT
// HIP's functions of a warp: masks have 64 bits, also where a warp has 32 lanes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "d2l_emulator/warp.h"

// The functions with masks are overloads for masks of 64 bits. HIP refuses a narrower mask. The emulator does not, and
// takes such a call for one of CUDA's function.
namespace d2l::emulator::hip {

using Mask = unsigned long long;
using Lanes = LaneMask;  ///< a mask of the emulator

template <class M>
concept WideMask = std::is_integral_v<M> && sizeof(M) == sizeof(Mask) && !std::is_same_v<M, Lanes>;

inline Mask active_mask(Place place = Place::here()) { return converged_lanes(place); }
inline Lanes lanes_here(Place place) { return static_cast<Lanes>(converged_lanes(place)); }
inline Mask ballot(int predicate, Place place = Place::here()) {
  return static_cast<Mask>(warp_meet(WarpOperation::ballot, converged_lanes(place), predicate != 0 ? 1 : 0, 0, place));
}
template <class T>
Mask match_any(T value, Place place = Place::here()) {
  return ::__match_any_sync(lanes_here(place), value, place);
}
template <class T>
Mask match_all(T value, int* predicate, Place place = Place::here()) {
  return ::__match_all_sync(lanes_here(place), value, predicate, place);
}
/// The value of the first lane of those that run together.
template <class T>
T read_first_lane(T value, Place place = Place::here()) {
  const Lanes lanes = lanes_here(place);
  return ::__shfl_sync(lanes, value, __builtin_ctzll(lanes), warpSize, place);
}
/// The value of the lane whose number is a quarter of `address`.
template <class T>
T permute_from(int address, T value, Place place = Place::here()) {
  return ::__shfl_sync(lanes_here(place), value, (address >> 2) & (warpSize - 1), warpSize, place);
}
/// The lanes of the mask's lower or upper half before this one, added to `sum`.
inline unsigned masked_count(std::uint32_t mask, unsigned sum, int first_lane) {
  const int before = lane() - first_lane;
  const std::uint32_t lanes = before <= 0 ? 0U : before >= 32 ? ~0U : (1U << before) - 1;
  return sum + static_cast<unsigned>(__builtin_popcount(mask & lanes));
}

}  // namespace d2l::emulator::hip

// NOLINTBEGIN: the names are HIP's.
template <d2l::emulator::hip::WideMask M>
unsigned long long __ballot_sync(M mask, int predicate, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  using namespace d2l::emulator;
  return warp_meet(WarpOperation::ballot, static_cast<hip::Lanes>(mask), predicate != 0 ? 1 : 0, 0, place);
}
template <d2l::emulator::hip::WideMask M>
int __any_sync(M mask, int predicate, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return __ballot_sync(mask, predicate, place) != 0 ? 1 : 0;
}
template <d2l::emulator::hip::WideMask M>
int __all_sync(M mask, int predicate, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return __ballot_sync(mask, predicate == 0 ? 1 : 0, place) == 0 ? 1 : 0;
}
template <d2l::emulator::hip::WideMask M, class T>
unsigned long long __match_any_sync(M mask, T value, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return __match_any_sync(static_cast<d2l::emulator::hip::Lanes>(mask), value, place);
}
template <d2l::emulator::hip::WideMask M, class T>
unsigned long long __match_all_sync(M mask, T value, int* predicate,
                                    d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return __match_all_sync(static_cast<d2l::emulator::hip::Lanes>(mask), value, predicate, place);
}
#define D2L_HIP_SHUFFLE(NAME, TYPE)                                                        \
  template <d2l::emulator::hip::WideMask M, class T>                                       \
  T NAME(M mask, T value, TYPE other, int width = warpSize,                                \
         d2l::emulator::Place place = d2l::emulator::Place::here()) {                      \
    return NAME(static_cast<d2l::emulator::hip::Lanes>(mask), value, other, width, place); \
  }
D2L_HIP_SHUFFLE(__shfl_sync, int)
D2L_HIP_SHUFFLE(__shfl_up_sync, unsigned)
D2L_HIP_SHUFFLE(__shfl_down_sync, unsigned)
D2L_HIP_SHUFFLE(__shfl_xor_sync, int)
#undef D2L_HIP_SHUFFLE
inline unsigned __lane_id() { return static_cast<unsigned>(d2l::emulator::lane()); }

#define __activemask ::d2l::emulator::hip::active_mask
#define __ballot ::d2l::emulator::hip::ballot
#define __ballot64 ::d2l::emulator::hip::ballot
#define __match_any ::d2l::emulator::hip::match_any
#define __match_all ::d2l::emulator::hip::match_all
#define __AMDGCN_WAVEFRONT_SIZE D2L_WARP_SIZE
#define __AMDGCN_WAVEFRONT_SIZE__ D2L_WARP_SIZE

#define __builtin_amdgcn_readfirstlane ::d2l::emulator::hip::read_first_lane
#define __builtin_amdgcn_ds_bpermute ::d2l::emulator::hip::permute_from
#define __builtin_amdgcn_mbcnt_lo(mask, sum) ::d2l::emulator::hip::masked_count(mask, sum, 0)
#define __builtin_amdgcn_mbcnt_hi(mask, sum) ::d2l::emulator::hip::masked_count(mask, sum, 32)
#define __builtin_amdgcn_wavefrontsize() static_cast<unsigned>(warpSize)
#define __builtin_amdgcn_wave_barrier() __syncwarp(::d2l::emulator::hip::lanes_here(::d2l::emulator::Place::here()))
// NOLINTEND
