// SPDX-License-Identifier: MIT
// WarpSteps: joins what the lanes of a warp did to the steps that the warp makes on a card.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "counts/lane_position.h"
#include "counts/warp_events.h"
#include "counts/warp_log.h"

namespace d2l::emulator {

/// Receives the steps of a warp, in their order.
class StepCounter {
 public:
  struct Step {
    Event event;
    const Addresses& addresses;
    LaneBits lanes;           ///< that make it together
    LaneBits running;         ///< that have not ended before
    bool new_request = true;  ///< false for more lanes of the request before, whose addresses have another upper half
  };
  virtual void make(const Step& step) = 0;

 protected:
  StepCounter() = default;
  ~StepCounter() = default;
  StepCounter(const StepCounter&) = default;
  StepCounter& operator=(const StepCounter&) = default;
};

/// The lanes of a warp, as bits.
struct WarpLanes {
  LaneBits live = 0;     ///< those that have not ended
  LaneBits waiting = 0;  ///< those that will do more after what their log has, and wait until it has room
  LaneBits meeting = 0;  ///< those that all come to a meeting after what their log has
};

/// The lanes that are at the same place, in the same iterations of its loops, make a step together. The first to make
/// one are those in the innermost function, then those in the earliest iteration, then those at the first place. So a
/// lane that has left a branch or an iteration waits for the others behind it, as on a card.
class WarpSteps {
 public:
  /// Adds what a lane did. True if its log is full.
  [[nodiscard]] bool add(unsigned lane, LaneEvent event) { return log_.add(lane, event); }
  /// These lanes have met. `all.meeting` are the same lanes if no others are live.
  void meet(LaneBits lanes, const WarpLanes& all, ControlFlow& flow, StepCounter& counter);
  /// Makes the steps that the log has. It stops where a waiting lane may be the next, or all meeting lanes have come,
  /// unless the others access no memory after that. Returns the waiting lanes whose log has room.
  LaneBits make_steps(const WarpLanes& lanes, ControlFlow& flow, StepCounter& counter);
  /// All lanes that have not ended are at a barrier, or meet.
  void join(LaneBits live);
  [[nodiscard]] bool has_events() const noexcept { return !log_.empty(); }
  void clear();

 private:
  using Indices = std::array<std::size_t, max_lanes>;
  void make_common_steps(LaneBits lanes, Indices& next, ControlFlow& flow, StepCounter& counter);
  void join_if(LaneBits live, bool (LanePosition::*same)(const LanePosition&) const noexcept);
  void separate();
  [[nodiscard]] bool goes_known_ways(unsigned lane, std::size_t begin, const ControlFlow& flow) const;
  void find_loops(LaneBits lanes, const Indices& next, ControlFlow& flow);
  /// Lanes at one position, and the event there.
  struct Group {
    LaneBits lanes;
    LanePosition position;
    Event event;
  };
  void come_to_next(Group group, Indices& next, ControlFlow& flow);
  void add_group(Group group);
  void arrive(unsigned lane, std::uint32_t meeting, Indices& next, ControlFlow& flow);
  Group take_first_group();
  void make_step(const Group& group, const Indices& next, LaneBits running, StepCounter& counter);
  [[nodiscard]] bool must_wait(const WarpLanes& lanes, const Indices& next) const;
  void make_other_steps(const WarpLanes& lanes, Indices& next, ControlFlow& flow, StepCounter& counter);

  WarpLog log_;
  bool together_ = true;  ///< all lanes are at position_
  LanePosition position_;
  std::uint64_t version_ = 0;                      ///< of the control flow to which the positions belong
  std::array<LanePosition, max_lanes> positions_;  ///< else; of lanes that are not in a group
  LaneBits at_next_ = 0;                           ///< lanes whose position is already that of their next event
  LaneBits left_ = 0;                              ///< lanes with events that are not counted
  std::vector<Group> groups_;                      ///< the lanes that can make steps
  std::vector<LaneBits> meetings_;                 ///< the lanes of each
  std::vector<LaneBits> arrived_;                  ///< those that have come
};

}  // namespace d2l::emulator
