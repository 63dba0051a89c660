// SPDX-License-Identifier: MIT
#include "order/accesses.h"

#include <algorithm>

namespace d2l::emulator {
namespace {

/// True if the intervals ascend, and do not overlap.
bool ascend(const std::vector<Interval>& intervals) {
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    if (intervals[i].begin < intervals[i - 1].end) return false;
  }
  return true;
}

}  // namespace

std::optional<Overlap> find_overlap(const std::vector<Interval>& earlier, const std::vector<Interval>& later,
                                    bool (*wanted)(std::uint8_t, std::uint8_t)) {
  const bool search = ascend(earlier);
  for (const Interval& one : later) {
    auto other = earlier.begin();
    if (search) {
      other = std::upper_bound(earlier.begin(), earlier.end(), one.begin,
                               [](std::size_t offset, const Interval& each) { return offset < each.end; });
    }
    for (; other != earlier.end() && !(search && other->begin >= one.end); ++other) {
      const std::size_t begin = std::max(one.begin, other->begin);
      if (begin < std::min(one.end, other->end) && wanted(other->bits, one.bits)) return Overlap{begin, *other, one};
    }
  }
  return std::nullopt;
}

bool covers(const std::vector<Interval>& large, const std::vector<Interval>& small) {
  if (!ascend(large)) return false;
  return std::all_of(small.begin(), small.end(), [&](const Interval& one) {
    const auto around = std::upper_bound(large.begin(), large.end(), one.begin,
                                         [](std::size_t offset, const Interval& each) { return offset < each.end; });
    return around != large.end() && around->begin <= one.begin && one.end <= around->end &&
           (one.bits & ~around->bits) == 0;
  });
}

}  // namespace d2l::emulator
