// SPDX-License-Identifier: MIT
// Functions of a warp: shuffles, votes, matches and reductions.
#pragma once

#include <cstring>
#include <type_traits>

#include "d2l_emulator/language.h"
#include "d2l_emulator/launches/warp_size.h"

namespace d2l::emulator {

enum class WarpOperation {
  synchronise,
  shuffle,
  ballot,
  match_any,
  match_all,
  work,
  add,
  minimum_signed,
  maximum_signed,
  minimum_unsigned,
  maximum_unsigned,
  bit_and,
  bit_or,
  bit_xor
};

/// Meets the lanes of `mask`, each with a value, and returns this lane's result; `source` is the lane that a shuffle
/// reads.
std::uint64_t warp_meet(WarpOperation operation, std::uint64_t mask, std::uint64_t value, int source, Place place);
/// What a lane brings to a function that all lanes of a warp of 32 execute together, such as a product of matrices.
struct WarpWork {
  /// Does the work of the whole warp, once; null for a lane that does not take part.
  void (*run)(WarpWork* const* by_lane);
  const char* name;  ///< of the function, for reports
  const void* kind;  ///< what else must be the same in all lanes
};
/// Waits until all lanes have come here with the same function, runs it, and returns.
void warp_work(WarpWork& own, Place place);
/// The lanes of this warp that wait here together.
std::uint64_t converged_lanes(Place place);
/// This thread's number in its warp.
int lane() noexcept;
/// This thread's number in its block.
unsigned thread_number() noexcept;

template <class T>
T shuffle(std::uint64_t mask, T value, int source, Place place) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain values can be shuffled");
  for (std::size_t at = 0; at < sizeof(T); at += sizeof(std::uint64_t)) {
    const std::size_t bytes = sizeof(T) - at < sizeof(std::uint64_t) ? sizeof(T) - at : sizeof(std::uint64_t);
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const char*>(&value) + at, bytes);
    bits = warp_meet(WarpOperation::shuffle, mask, bits, source, place);
    std::memcpy(reinterpret_cast<char*>(&value) + at, &bits, bytes);
  }
  return value;
}

inline int segment(int width) { return lane() & ~(width - 1); }

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
template <class T>
T __shfl_sync(d2l::emulator::LaneMask mask, T value, int source, int width = D2L_WARP_SIZE,
              d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return d2l::emulator::shuffle(mask, value, d2l::emulator::segment(width) | (source & (width - 1)), place);
}
template <class T>
T __shfl_up_sync(d2l::emulator::LaneMask mask, T value, unsigned delta, int width = D2L_WARP_SIZE,
                 d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const int own = d2l::emulator::lane();
  const int source = own - static_cast<int>(delta);
  return d2l::emulator::shuffle(mask, value, source < d2l::emulator::segment(width) ? own : source, place);
}
template <class T>
T __shfl_down_sync(d2l::emulator::LaneMask mask, T value, unsigned delta, int width = D2L_WARP_SIZE,
                   d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const int own = d2l::emulator::lane();
  const int source = own + static_cast<int>(delta);
  return d2l::emulator::shuffle(mask, value, source >= d2l::emulator::segment(width) + width ? own : source, place);
}
template <class T>
T __shfl_xor_sync(d2l::emulator::LaneMask mask, T value, int lane_mask, int width = D2L_WARP_SIZE,
                  d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const int own = d2l::emulator::lane();
  const int source = own ^ lane_mask;
  return d2l::emulator::shuffle(mask, value, source >= d2l::emulator::segment(width) + width ? own : source, place);
}

inline void __syncwarp(d2l::emulator::LaneMask mask = d2l::emulator::whole_warp,
                       d2l::emulator::Place place = d2l::emulator::Place::here()) {
  d2l::emulator::warp_meet(d2l::emulator::WarpOperation::synchronise, mask, 0, 0, place);
}
inline d2l::emulator::LaneMask __ballot_sync(d2l::emulator::LaneMask mask, int predicate,
                                             d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return static_cast<d2l::emulator::LaneMask>(
      d2l::emulator::warp_meet(d2l::emulator::WarpOperation::ballot, mask, predicate != 0 ? 1 : 0, 0, place));
}
inline int __any_sync(d2l::emulator::LaneMask mask, int predicate,
                      d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return __ballot_sync(mask, predicate, place) != 0 ? 1 : 0;
}
inline int __all_sync(d2l::emulator::LaneMask mask, int predicate,
                      d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return __ballot_sync(mask, predicate == 0 ? 1 : 0, place) == 0 ? 1 : 0;
}
inline d2l::emulator::LaneMask __activemask(d2l::emulator::Place place = d2l::emulator::Place::here()) {
  return static_cast<d2l::emulator::LaneMask>(d2l::emulator::converged_lanes(place));
}
template <class T>
d2l::emulator::LaneMask __match_any_sync(d2l::emulator::LaneMask mask, T value,
                                         d2l::emulator::Place place = d2l::emulator::Place::here()) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return static_cast<d2l::emulator::LaneMask>(
      d2l::emulator::warp_meet(d2l::emulator::WarpOperation::match_any, mask, bits, 0, place));
}
template <class T>
d2l::emulator::LaneMask __match_all_sync(d2l::emulator::LaneMask mask, T value, int* predicate,
                                         d2l::emulator::Place place = d2l::emulator::Place::here()) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  const auto lanes = static_cast<d2l::emulator::LaneMask>(
      d2l::emulator::warp_meet(d2l::emulator::WarpOperation::match_all, mask, bits, 0, place));
  *predicate = lanes != 0 ? 1 : 0;
  return lanes;
}

#define D2L_WARP_REDUCTION(NAME, TYPE, OPERATION)                                                    \
  inline TYPE NAME(d2l::emulator::LaneMask mask, TYPE value,                                         \
                   d2l::emulator::Place place = d2l::emulator::Place::here()) {                      \
    return static_cast<TYPE>(d2l::emulator::warp_meet(d2l::emulator::WarpOperation::OPERATION, mask, \
                                                      static_cast<unsigned>(value), 0, place));      \
  }
D2L_WARP_REDUCTION(__reduce_add_sync, int, add)
D2L_WARP_REDUCTION(__reduce_add_sync, unsigned, add)
D2L_WARP_REDUCTION(__reduce_min_sync, int, minimum_signed)
D2L_WARP_REDUCTION(__reduce_min_sync, unsigned, minimum_unsigned)
D2L_WARP_REDUCTION(__reduce_max_sync, int, maximum_signed)
D2L_WARP_REDUCTION(__reduce_max_sync, unsigned, maximum_unsigned)
D2L_WARP_REDUCTION(__reduce_and_sync, unsigned, bit_and)
D2L_WARP_REDUCTION(__reduce_or_sync, unsigned, bit_or)
D2L_WARP_REDUCTION(__reduce_xor_sync, unsigned, bit_xor)
#undef D2L_WARP_REDUCTION
// NOLINTEND

// The functions without a mask, which CUDA 13 does not have any more: older programs call them with all lanes that run.
// NOLINTBEGIN: the names are CUDA's.
#define D2L_OLD_SHUFFLE(NAME, TYPE)                                                                                   \
  template <class T>                                                                                                  \
  T NAME(T value, TYPE other, int width = D2L_WARP_SIZE, d2l::emulator::Place place = d2l::emulator::Place::here()) { \
    return NAME##_sync(__activemask(place), value, other, width, place);                                              \
  }
D2L_OLD_SHUFFLE(__shfl, int)
D2L_OLD_SHUFFLE(__shfl_up, unsigned)
D2L_OLD_SHUFFLE(__shfl_down, unsigned)
D2L_OLD_SHUFFLE(__shfl_xor, int)
#undef D2L_OLD_SHUFFLE
#define D2L_OLD_VOTE(NAME, RESULT)                                                               \
  inline RESULT NAME(int predicate, d2l::emulator::Place place = d2l::emulator::Place::here()) { \
    return NAME##_sync(__activemask(place), predicate, place);                                   \
  }
D2L_OLD_VOTE(__ballot, d2l::emulator::LaneMask)
D2L_OLD_VOTE(__any, int)
D2L_OLD_VOTE(__all, int)
#undef D2L_OLD_VOTE
// NOLINTEND
