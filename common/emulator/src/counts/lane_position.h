// SPDX-License-Identifier: MIT
// LanePosition: where a lane of a warp is in the code, so that lanes can be compared as a card does.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "counts/control_flow.h"
#include "counts/warp_events.h"

namespace d2l::emulator {

/// Functions, the iterations of their loops, and the place in the innermost function.
class LanePosition {
 public:
  /// Goes to the lane's next event, and counts iterations.
  void move_to(const LaneEvent& to, ControlFlow& flow);
  /// The same without the iterations: notes which way the lane goes, so that the loops are found.
  void note_way(const LaneEvent& to, ControlFlow& flow) { go(to, flow); }
  /// The blocks in which the lane is, by depth; 0 for none.
  static constexpr std::size_t max_depth = 8;
  [[nodiscard]] std::array<std::int32_t, max_depth> blocks() const noexcept {
    std::array<std::int32_t, max_depth> places{};
    for (std::size_t i = 0; i < std::min(max_depth, frames_.size()); ++i) {
      if (frames_[i].block != nullptr) places[i] = frames_[i].block->place;
    }
    return places;
  }
  /// The lane waits for others in the blocks where it is.
  void mark_busy();
  /// Forgets the iterations: the lanes are together.
  void forget_iterations();
  /// The loops were found again.
  void update_iterations();
  /// The order in which a warp executes: the innermost function, the earliest iteration, the first place.
  [[nodiscard]] std::weak_ordering compare(const LanePosition& other) const noexcept;
  /// True if the functions and places are equal; the iterations may differ.
  [[nodiscard]] bool same_places(const LanePosition& other) const noexcept;
  /// True if the functions, iterations and places are equal.
  [[nodiscard]] bool same_everywhere(const LanePosition& other) const noexcept {
    if (frames_.size() != other.frames_.size() || frames_.empty()) return frames_.size() == other.frames_.size();
    return frames_.back().place == other.frames_.back().place && frames_ == other.frames_;
  }
  void clear() { frames_.clear(); }

 private:
  struct Iteration {
    const Loop* loop;
    std::uint32_t number;
    friend bool operator==(const Iteration&, const Iteration&) = default;
  };
  struct Frame {
    std::int32_t place = 0;
    BasicBlock* block = nullptr;
    std::vector<Iteration> iterations;  ///< of the loops around the block, from the outermost to the last that is not 0
    friend bool operator==(const Frame&, const Frame&) = default;
  };
  BasicBlock* go(const LaneEvent& to, ControlFlow& flow);
  static void drop_zeros(std::vector<Iteration>& iterations);
  static void enter_loops(Frame& frame, const Loop* next_iteration_of);

  std::vector<Frame> frames_;  ///< by depth
};

}  // namespace d2l::emulator
