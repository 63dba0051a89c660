// SPDX-License-Identifier: MIT
#include "order/host_intervals.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace d2l::emulator {

void HostIntervals::add(const std::shared_ptr<const Allocation>& allocation, const Interval& interval) {
  auto found = std::find_if(all_.begin(), all_.end(),
                            [&](const Of& one) { return one.accesses.allocation->id == allocation->id; });
  if (found == all_.end()) {
    all_.emplace_back().accesses.allocation = allocation;
    found = std::prev(all_.end());
  }
  auto& intervals = found->accesses.intervals;
  constexpr std::size_t recent = 8;
  const std::size_t oldest = intervals.size() < recent ? 0 : intervals.size() - recent;
  for (std::size_t i = intervals.size(); i-- > oldest;) {
    Interval& one = intervals[i];
    const bool same = one.bits == interval.bits && one.read_at == interval.read_at && one.write_at == interval.write_at;
    if (!same || interval.begin < one.begin || interval.begin > one.end) continue;
    one.end = std::max(one.end, interval.end);
    return;
  }
  intervals.push_back(interval);
  if (intervals.size() < found->limit) return;
  join(intervals);
  found->limit = std::max(found->limit, 2 * intervals.size());
}

/// Joins intervals of the same kind that touch; the first of the places stays.
void HostIntervals::join(std::vector<Interval>& intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return std::tuple(a.bits, a.begin) < std::tuple(b.bits, b.begin);
  });
  std::size_t last = 0;
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    if (intervals[i].bits == intervals[last].bits && intervals[i].begin <= intervals[last].end) {
      intervals[last].end = std::max(intervals[last].end, intervals[i].end);
    } else {
      intervals[++last] = intervals[i];
    }
  }
  intervals.resize(last + 1);
}

std::vector<MemoryAccesses> HostIntervals::take() {
  std::vector<MemoryAccesses> taken;
  for (Of& one : all_) taken.push_back(std::move(one.accesses));
  all_.clear();
  return taken;
}

}  // namespace d2l::emulator
