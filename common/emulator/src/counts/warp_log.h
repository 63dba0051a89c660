// SPDX-License-Identifier: MIT
// WarpLog: what the lanes of a warp did since their steps were last counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counts/warp_events.h"
#include "execution/worker.h"

namespace d2l::emulator {

using Addresses = std::array<std::uint32_t, max_lanes>;
/// Those of a step that accesses no memory.
inline constexpr Addresses no_addresses{};

/// While the lanes do the same, the k-th event of each is one step, kept once. A lane that does something else has a
/// list of its own from there on.
class WarpLog {
 public:
  /// The most events of a lane that are kept.
  static constexpr std::size_t longest = 1024;

  struct Step {
    Event event;
    std::uint32_t depth;
    std::uint32_t access;  ///< its number among the accesses
  };

  /// Adds what a lane did. True if its log is full. The event stays in registers: written in parts and read as a whole
  /// it would wait for the memory.
  [[nodiscard]] bool add(unsigned lane, LaneEvent event) {
    const std::uint32_t k = made_[lane];
    if (k >= steps_.size() || !(steps_[k].event == event.event)) {
      Own& own = own_[lane];
      if (k != strayed || own.size() == own.capacity()) return add_other(lane, event);
      own.push_back(event);
      return before_[lane] + own.size() >= longest;
    }
    if (event.event.type() == Event::Type::access) addresses_[steps_[k].access][lane] = event.address;
    made_[lane] = k + 1;
    return k + 1 >= longest;
  }

  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  [[nodiscard]] std::size_t size(unsigned lane) const noexcept { return shared_steps(lane) + own_[lane].size(); }
  [[nodiscard]] LaneEvent at(unsigned lane, std::size_t i) const noexcept {
    const std::size_t shared = shared_steps(lane);
    if (i >= shared) return own_[lane][i - shared];
    const Step& step = steps_[i];
    const bool access = step.event.type() == Event::Type::access;
    return {step.event, access ? addresses_[step.access][lane] : 0, step.depth};
  }
  /// True if the lane has an i-th event, and it is of the same instruction, in as many functions.
  [[nodiscard]] bool has_at(unsigned lane, std::size_t i, const LaneEvent& event) const noexcept {
    const std::size_t shared = shared_steps(lane);
    if (i < shared) return steps_[i].depth == event.depth && steps_[i].event.same_instruction(event.event);
    const Own& own = own_[lane];
    i -= shared;
    return i < own.size() && own[i].depth == event.depth && own[i].event.same_instruction(event.event);
  }
  /// True if `holds(event, depth)` is true for all events of the lane from `begin` on.
  template <class Condition>
  [[nodiscard]] bool all_from(unsigned lane, std::size_t begin, const Condition& holds) const {
    const std::size_t shared = shared_steps(lane);
    for (std::size_t i = begin; i < shared; ++i) {
      if (!holds(steps_[i].event, steps_[i].depth)) return false;
    }
    const Own& own = own_[lane];
    for (std::size_t i = std::max(begin, shared) - shared; i < own.size(); ++i) {
      if (!holds(own[i].event, own[i].depth)) return false;
    }
    return true;
  }
  /// How many steps at the beginning all of these lanes made together.
  [[nodiscard]] std::size_t common_steps(LaneBits lanes) const noexcept;
  [[nodiscard]] const Step& step(std::size_t i) const noexcept { return steps_[i]; }
  [[nodiscard]] const Addresses& addresses(const Step& step) const noexcept {
    return step.event.type() == Event::Type::access ? addresses_[step.access] : no_addresses;
  }

  /// Forgets everything.
  void clear();
  /// Forgets the first `done[lane]` events of each lane.
  void forget(const std::array<std::size_t, max_lanes>& done);

 private:
  static constexpr std::uint32_t strayed = ~0U;
  using Own = std::vector<LaneEvent>;

  bool add_other(unsigned lane, LaneEvent event);
  [[nodiscard]] std::uint32_t shared_steps(unsigned lane) const noexcept {
    return made_[lane] == strayed ? before_[lane] : made_[lane];
  }

  std::vector<Step> steps_;
  std::vector<Addresses> addresses_;               ///< at least as many as accesses_
  std::uint32_t accesses_ = 0;                     ///< among the steps
  std::array<std::uint32_t, max_lanes> made_{};    ///< how many steps the lane takes part in, or `strayed`
  std::array<std::uint32_t, max_lanes> before_{};  ///< how many it took part in before it strayed
  std::array<Own, max_lanes> own_;                 ///< what it did since
};

}  // namespace d2l::emulator
