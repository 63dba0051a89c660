// SPDX-License-Identifier: MIT
// HIP's functions of a warp: masks have 64 bits, also where a warp has 32 lanes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "d2l_emulator/warp.h"

// HIP refuses narrower masks. The emulator's own headers use masks as wide as a warp, and pass the place of the call.
namespace d2l::emulator::hip {

using Mask = unsigned long long;
using Lanes = LaneMask;  ///< a mask of the emulator

template <class M>
concept WideMask = std::is_integral_v<M> && sizeof(M) == sizeof(Mask);
template <class M>
concept NarrowMask = std::is_integral_v<M> && sizeof(M) < sizeof(Mask);

// In each function, so that the compiler shows the line of the call.
#define D2L_HIP_REFUSE(M)                                                                                      \
  static_assert(sizeof(M) == sizeof(Mask),                                                                     \
                "HIP's functions of a warp take masks of 64 bits: write 0xffffffffffffffffULL for all lanes, " \
                "keep masks in variables of type unsigned long long, or call the function without a mask, "    \
                "such as __shfl_down")

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

// Each function is there for a wide mask, for a narrow one of the emulator's headers, and for a narrow one to be
// refused.
#define D2L_HIP_VOTE(NAME, RESULT)                                  \
  template <WideMask M>                                             \
  RESULT NAME(M mask, int predicate, Place place = Place::here()) { \
    return ::__##NAME(static_cast<Lanes>(mask), predicate, place);  \
  }                                                                 \
  template <NarrowMask M>                                           \
  RESULT NAME(M mask, int predicate, Place place) {                 \
    return ::__##NAME(mask, predicate, place);                      \
  }                                                                 \
  template <NarrowMask M>                                           \
  RESULT NAME(M, int) {                                             \
    D2L_HIP_REFUSE(M);                                              \
    return 0;                                                       \
  }
D2L_HIP_VOTE(ballot_sync, Mask)
D2L_HIP_VOTE(any_sync, int)
D2L_HIP_VOTE(all_sync, int)
#undef D2L_HIP_VOTE
#define D2L_HIP_SHUFFLE(NAME, TYPE)                                                        \
  template <WideMask M, class T>                                                           \
  T NAME(M mask, T value, TYPE other, int width = warpSize, Place place = Place::here()) { \
    return ::__##NAME(static_cast<Lanes>(mask), value, other, width, place);               \
  }                                                                                        \
  template <NarrowMask M, class T>                                                         \
  T NAME(M mask, T value, TYPE other, int width, Place place) {                            \
    return ::__##NAME(mask, value, other, width, place);                                   \
  }                                                                                        \
  template <NarrowMask M, class T>                                                         \
  T NAME(M, T value, TYPE, int = warpSize) {                                               \
    D2L_HIP_REFUSE(M);                                                                     \
    return value;                                                                          \
  }
D2L_HIP_SHUFFLE(shfl_sync, int)
D2L_HIP_SHUFFLE(shfl_up_sync, unsigned)
D2L_HIP_SHUFFLE(shfl_down_sync, unsigned)
D2L_HIP_SHUFFLE(shfl_xor_sync, int)
#undef D2L_HIP_SHUFFLE
template <WideMask M, class T>
Mask match_any_sync(M mask, T value, Place place = Place::here()) {
  return ::__match_any_sync(static_cast<Lanes>(mask), value, place);
}
template <NarrowMask M, class T>
Mask match_any_sync(M mask, T value, Place place) {
  return ::__match_any_sync(mask, value, place);
}
template <NarrowMask M, class T>
Mask match_any_sync(M, T) {
  D2L_HIP_REFUSE(M);
  return 0;
}
template <WideMask M, class T>
Mask match_all_sync(M mask, T value, int* predicate, Place place = Place::here()) {
  return ::__match_all_sync(static_cast<Lanes>(mask), value, predicate, place);
}
template <NarrowMask M, class T>
Mask match_all_sync(M mask, T value, int* predicate, Place place) {
  return ::__match_all_sync(mask, value, predicate, place);
}
template <NarrowMask M, class T>
Mask match_all_sync(M, T, int*) {
  D2L_HIP_REFUSE(M);
  return 0;
}

#undef D2L_HIP_REFUSE

}  // namespace d2l::emulator::hip

// NOLINTBEGIN: the names are HIP's.
inline unsigned __lane_id() { return static_cast<unsigned>(d2l::emulator::lane()); }

#define __activemask ::d2l::emulator::hip::active_mask
#define __ballot ::d2l::emulator::hip::ballot
#define __ballot64 ::d2l::emulator::hip::ballot
#define __match_any ::d2l::emulator::hip::match_any
#define __match_all ::d2l::emulator::hip::match_all
// Without :: before them, since a program may call ::__shfl_sync.
#define __ballot_sync d2l::emulator::hip::ballot_sync
#define __any_sync d2l::emulator::hip::any_sync
#define __all_sync d2l::emulator::hip::all_sync
#define __shfl_sync d2l::emulator::hip::shfl_sync
#define __shfl_up_sync d2l::emulator::hip::shfl_up_sync
#define __shfl_down_sync d2l::emulator::hip::shfl_down_sync
#define __shfl_xor_sync d2l::emulator::hip::shfl_xor_sync
#define __match_any_sync d2l::emulator::hip::match_any_sync
#define __match_all_sync d2l::emulator::hip::match_all_sync

#define __AMDGCN_WAVEFRONT_SIZE D2L_WARP_SIZE
#define __AMDGCN_WAVEFRONT_SIZE__ D2L_WARP_SIZE

#define __builtin_amdgcn_readfirstlane ::d2l::emulator::hip::read_first_lane
#define __builtin_amdgcn_ds_bpermute ::d2l::emulator::hip::permute_from
#define __builtin_amdgcn_mbcnt_lo(mask, sum) ::d2l::emulator::hip::masked_count(mask, sum, 0)
#define __builtin_amdgcn_mbcnt_hi(mask, sum) ::d2l::emulator::hip::masked_count(mask, sum, 32)
#define __builtin_amdgcn_wavefrontsize() static_cast<unsigned>(warpSize)
#define __builtin_amdgcn_wave_barrier() __syncwarp(::d2l::emulator::hip::lanes_here(::d2l::emulator::Place::here()))
// NOLINTEND
