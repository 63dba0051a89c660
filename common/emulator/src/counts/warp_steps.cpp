// SPDX-License-Identifier: MIT
#include "counts/warp_steps.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "execution/lanes.h"

namespace d2l::emulator {
namespace {

bool is_meeting(const LaneEvent& event) { return event.event.type() == Event::Type::meeting; }

}  // namespace

void WarpSteps::clear() {
  log_.clear();
  together_ = true;
  position_.clear();
  at_next_ = left_ = 0;
  meetings_.clear();
  arrived_.clear();
}

void WarpSteps::meet(LaneBits lanes, const WarpLanes& all, ControlFlow& flow, StepCounter& counter) {
  if (lanes == all.meeting) {
    make_steps(all, flow, counter);
    join(lanes);
    return;
  }
  const auto number = static_cast<std::uint32_t>(meetings_.size());
  meetings_.push_back(lanes);
  arrived_.push_back(0);
  for_each_lane(lanes, [&](unsigned lane) { static_cast<void>(log_.add(lane, {Event::meeting(number), 0, 0})); });
}

void WarpSteps::join(LaneBits live) {
  join_if(live, &LanePosition::same_places);
  position_.mark_busy();
  if (!together_) for_each_lane(live, [&](unsigned lane) { positions_[lane].mark_busy(); });
}

void WarpSteps::join_if(LaneBits live, bool (LanePosition::*same)(const LanePosition&) const noexcept) {
  if (together_ || live == 0 || left_ != 0) return;
  const LanePosition& first = positions_[static_cast<unsigned>(std::countr_zero(live))];
  bool all = true;
  for_each_lane(live, [&](unsigned lane) { all = all && (positions_[lane].*same)(first); });
  if (!all) return;
  position_ = first;
  position_.forget_iterations();
  together_ = true;
}

void WarpSteps::separate() {
  if (!together_) return;
  std::fill_n(positions_.begin(), warp_size(), position_);
  together_ = false;
}

void WarpSteps::make_common_steps(LaneBits lanes, Indices& next, ControlFlow& flow, StepCounter& counter) {
  const std::size_t steps = log_.common_steps(lanes);
  for (std::size_t i = 0; i < steps; ++i) {
    const WarpLog::Step& step = log_.step(i);
    if (step.event.type() == Event::Type::meeting) continue;
    position_.note_way({step.event, 0, step.depth}, flow);
    counter.make({step.event, log_.addresses(step), lanes, lanes});
  }
  next.fill(steps);
}

/// True if the lane's events from `begin` on go ways that the control flow knows, and have no meeting.
bool WarpSteps::goes_known_ways(unsigned lane, std::size_t begin, const ControlFlow& flow) const {
  auto blocks = positions_[lane].blocks();
  return log_.all_from(lane, begin, [&](const Event& event, std::uint32_t depth) {
    const Event::Type type = event.type();
    if (type == Event::Type::access) return true;
    if (type == Event::Type::meeting || depth >= blocks.size()) return false;
    std::int32_t& block = blocks[depth];
    const std::int32_t before = std::exchange(block, event.place());
    return type == Event::Type::entry ? flow.knows(0, block) : before == 0 || flow.knows(before, block);
  });
}

/// The loops must be known before lanes are compared.
void WarpSteps::find_loops(LaneBits lanes, const Indices& next, ControlFlow& flow) {
  for_each_lane(lanes, [&](unsigned lane) {
    const std::size_t begin = next[lane] + (at_next_ >> lane & 1U);
    if (goes_known_ways(lane, begin, flow)) return;
    LanePosition position = positions_[lane];
    const std::size_t end = log_.size(lane);
    for (std::size_t i = begin; i < end; ++i) {
      const LaneEvent event = log_.at(lane, i);
      if (is_meeting(event)) {
        position.mark_busy();
      } else {
        position.note_way(event, flow);
      }
    }
  });
  flow.find_loops();
  if (std::exchange(version_, flow.version()) == flow.version()) return;
  for (unsigned lane = 0; lane < warp_size(); ++lane) positions_[lane].update_iterations();
}

/// The lanes come to their next events. Those with the same one remain a group.
void WarpSteps::come_to_next(Group group, Indices& next, ControlFlow& flow) {
  while (group.lanes != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(group.lanes));
    const LaneBits bit = lane_bit(first);
    const bool at_next = (at_next_ & bit) != 0;
    if (next[first] == log_.size(first)) {
      positions_[first] = group.position;
      left_ &= ~bit;
      group.lanes &= ~bit;
      continue;
    }
    const LaneEvent event = log_.at(first, next[first]);
    left_ |= bit;
    if (is_meeting(event)) {
      positions_[first] = group.position;
      group.lanes &= ~bit;
      if (!at_next) arrive(first, event.event.number(), next, flow);
      continue;
    }
    LaneBits same = bit;
    for_each_lane(group.lanes & ~bit & (at_next ? at_next_ : ~at_next_), [&](unsigned lane) {
      if (log_.has_at(lane, next[lane], event)) same |= lane_bit(lane);
    });
    group.lanes &= ~same;
    left_ |= same;
    at_next_ |= same;
    Group part{same, group.lanes == 0 ? std::move(group.position) : group.position, event.event};
    if (!at_next) part.position.move_to(event, flow);
    add_group(std::move(part));
  }
}

/// Joins it with a group that is at the same place, so that there are few.
void WarpSteps::add_group(Group group) {
  for (Group& known : groups_) {
    if (!known.event.same_instruction(group.event) || !known.position.same_everywhere(group.position)) continue;
    known.lanes |= group.lanes;
    return;
  }
  groups_.push_back(std::move(group));
}

/// The lane comes to a meeting. The last one lets all go on.
void WarpSteps::arrive(unsigned lane, std::uint32_t meeting, Indices& next, ControlFlow& flow) {
  const LaneBits bit = lane_bit(lane);
  at_next_ |= bit;
  arrived_[meeting] |= bit;
  const LaneBits all = meetings_[meeting];
  if (arrived_[meeting] != all) return;
  at_next_ &= ~all;
  for_each_lane(all, [&](unsigned other) { ++next[other]; });
  for_each_lane(all, [&](unsigned other) { come_to_next({lane_bit(other), positions_[other], {}}, next, flow); });
}

/// Takes out the group that makes the next step.
WarpSteps::Group WarpSteps::take_first_group() {
  const auto first = std::min_element(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return std::is_lt(a.position.compare(b.position));
  });
  std::swap(*first, groups_.back());
  Group group = std::move(groups_.back());
  groups_.pop_back();
  return group;
}

void WarpSteps::make_step(const Group& group, const Indices& next, LaneBits running, StepCounter& counter) {
  const LaneBits lanes = group.lanes;
  if (group.event.type() != Event::Type::access) {
    counter.make({group.event, no_addresses, lanes, running});
    return;
  }
  Addresses addresses{};
  for (LaneBits others = lanes; others != 0;) {
    const auto lane = static_cast<unsigned>(std::countr_zero(others));
    const Event event = log_.at(lane, next[lane]).event;
    LaneBits same = 0;
    for_each_lane(others, [&](unsigned other) {
      const LaneEvent of_other = log_.at(other, next[other]);
      if (!(of_other.event == event)) return;
      same |= lane_bit(other);
      addresses[other] = of_other.address;
    });
    counter.make({event, addresses, same, running, others == lanes});
    others &= ~same;
  }
}

/// True if lanes will do more that may be before what the others have done.
bool WarpSteps::must_wait(const WarpLanes& lanes, const Indices& next) const {
  if ((lanes.waiting & ~left_) != 0) return true;
  if (lanes.meeting == 0 || (lanes.meeting & left_) != 0) return false;
  bool accesses = false;
  for_each_lane(left_, [&](unsigned lane) {
    for (std::size_t i = next[lane]; i < log_.size(lane); ++i) {
      accesses = accesses || log_.at(lane, i).event.type() == Event::Type::access;
    }
  });
  return accesses;
}

void WarpSteps::make_other_steps(const WarpLanes& lanes, Indices& next, ControlFlow& flow, StepCounter& counter) {
  while (!groups_.empty() && !must_wait(lanes, next)) {
    Group group = take_first_group();
    make_step(group, next, lanes.live | left_, counter);
    at_next_ &= ~group.lanes;
    for_each_lane(group.lanes, [&](unsigned lane) { ++next[lane]; });
    come_to_next(std::move(group), next, flow);
  }
  for (const Group& group : groups_) {
    for_each_lane(group.lanes, [&](unsigned lane) { positions_[lane] = group.position; });
  }
  groups_.clear();
}

LaneBits WarpSteps::make_steps(const WarpLanes& lanes, ControlFlow& flow, StepCounter& counter) {
  if (log_.empty()) return lanes.waiting;
  LaneBits with_events = 0;
  for (unsigned lane = 0; lane < warp_size(); ++lane) with_events |= log_.size(lane) != 0 ? lane_bit(lane) : 0;
  Indices next{};
  const bool were_together = together_;
  if (together_ && (lanes.live & ~with_events) == 0) make_common_steps(with_events, next, flow, counter);
  LaneBits others = 0;
  for_each_lane(with_events, [&](unsigned lane) { others |= next[lane] == log_.size(lane) ? 0 : lane_bit(lane); });
  if (others != 0) {
    separate();
    find_loops(others, next, flow);
    if (were_together) {
      come_to_next({others, positions_[static_cast<unsigned>(std::countr_zero(others))], {}}, next, flow);
    } else {
      for_each_lane(others, [&](unsigned lane) { come_to_next({lane_bit(lane), positions_[lane], {}}, next, flow); });
    }
    make_other_steps(lanes, next, flow, counter);
  }
  if (left_ == 0) {
    log_.clear();
    meetings_.clear();
    arrived_.clear();
    join_if(lanes.live, &LanePosition::same_everywhere);
  } else {
    log_.forget(next);
  }
  return lanes.waiting & ~left_;
}

}  // namespace d2l::emulator
