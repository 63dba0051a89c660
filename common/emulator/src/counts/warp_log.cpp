// SPDX-License-Identifier: MIT
#include "counts/warp_log.h"

#include <algorithm>
#include <utility>

#include "execution/current.h"
#include "execution/lanes.h"

namespace d2l::emulator {

/// The first event of its number in the warp, or one that differs from that of the other lanes.
bool WarpLog::add_other(unsigned lane, LaneEvent event) {
  const OwnCode own;
  if (made_[lane] == steps_.size()) {
    const bool access = event.event.type() == Event::Type::access;
    steps_.push_back({event.event, event.depth, accesses_});
    if (access && addresses_.size() <= accesses_) addresses_.emplace_back();
    if (access) addresses_[accesses_++][lane] = event.address;
    return ++made_[lane] >= longest;
  }
  if (made_[lane] != strayed) before_[lane] = std::exchange(made_[lane], strayed);
  own_[lane].push_back(event);
  return before_[lane] + own_[lane].size() >= longest;
}

std::size_t WarpLog::common_steps(LaneBits lanes) const noexcept {
  std::size_t common = steps_.size();
  for_each_lane(lanes, [&](unsigned lane) { common = std::min<std::size_t>(common, shared_steps(lane)); });
  return common;
}

void WarpLog::clear() {
  steps_.clear();
  accesses_ = 0;
  made_.fill(0);
  before_.fill(0);
  for (Own& own : own_) own.clear();
}

void WarpLog::forget(const std::array<std::size_t, max_lanes>& done) {
  std::array<Own, max_lanes> left;
  for (unsigned lane = 0; lane < warp_size(); ++lane) {
    for (std::size_t i = done[lane]; i < size(lane); ++i) left[lane].push_back(at(lane, i));
  }
  clear();
  for (unsigned lane = 0; lane < warp_size(); ++lane) {
    for (const LaneEvent& event : left[lane]) static_cast<void>(add(lane, event));
  }
}

}  // namespace d2l::emulator
