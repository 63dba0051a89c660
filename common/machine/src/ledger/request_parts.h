// SPDX-License-Identifier: MIT
// The sectors and the words of a warp's request, for its picture and its description.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "d2l/warp_request.h"

namespace d2l::detail {

constexpr unsigned banks = 32;
constexpr std::int64_t sector_bytes = 32;
constexpr std::int64_t word_bytes = 4;

/// Rounded down.
constexpr std::int64_t quotient(std::int64_t dividend, std::int64_t divisor) {
  return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
}

template <class Work>
void for_each_lane_of(const WarpRequest& request, const Work& work) {
  for (unsigned lane = 0; lane < request.warp_size; ++lane) {
    if ((request.lanes >> lane & 1U) != 0) work(lane);
  }
}

/// A sector of global memory: which of its bytes the lanes ask for, and which lanes these are.
struct Sector {
  std::uint32_t used = 0;
  std::uint64_t lanes = 0;
};
/// By their numbers from the array's begin.
std::map<std::int64_t, Sector> sectors_of(const WarpRequest& request);

/// A word of shared memory that a part of the warp accesses, by the lanes of this part, in the order of the banks.
struct Word {
  std::int64_t number = 0;  ///< from the array's begin
  std::uint64_t lanes = 0;
};
/// The lanes that are served at once: 32, or a half or a quarter of them where each lane accesses several words.
struct ServedPart {
  std::vector<std::vector<Word>> by_bank;  ///< the different words of each bank
  unsigned passes = 0;
};
std::vector<ServedPart> served_parts(const WarpRequest& request);

/// "lane 3", "lanes 0 to 31", "lanes 0, 8, 16".
std::string lanes_text(std::uint64_t lanes);

}  // namespace d2l::detail
