// SPDX-License-Identifier: MIT
#include "counts/lane_position.h"

#include <algorithm>
#include <utility>

namespace d2l::emulator {

/// Returns the basic block before; null if the lane stays in its block, or if none was known.
BasicBlock* LanePosition::go(const LaneEvent& to, ControlFlow& flow) {
  const bool enters = to.event.type() == Event::Type::entry;
  if (enters && frames_.size() > to.depth) frames_.resize(to.depth);
  if (frames_.size() != to.depth + 1) frames_.resize(to.depth + 1);
  Frame& frame = frames_.back();
  frame.place = to.event.place();
  if (to.event.type() == Event::Type::access) {
    if (frame.block != nullptr) frame.block->is_busy = true;
    return nullptr;
  }
  if (enters && to.depth > 0 && frames_[to.depth - 1].block != nullptr) frames_[to.depth - 1].block->is_busy = true;
  BasicBlock* const next = enters ? flow.entry(frame.place) : flow.block(frame.place);
  BasicBlock* const before = std::exchange(frame.block, next);
  if (before != nullptr) flow.note(before, next);
  return before;
}

void LanePosition::move_to(const LaneEvent& to, ControlFlow& flow) {
  const BasicBlock* const before = go(to, flow);
  if (before == nullptr) return;
  Frame& frame = frames_.back();
  enter_loops(frame, ControlFlow::next_iteration(before, frame.block));
}

/// The iterations of the loops around the block: those of loops that it was in before go on.
void LanePosition::enter_loops(Frame& frame, const Loop* next_iteration_of) {
  const auto& loops = frame.block->loops;
  auto& iterations = frame.iterations;
  std::size_t same = 0;
  while (same < iterations.size() && same < loops.size() && iterations[same].loop == loops[same]) {
    if (iterations[same++].loop == next_iteration_of) break;
  }
  iterations.resize(same);
  if (next_iteration_of != nullptr) {
    while (iterations.empty() || iterations.back().loop != next_iteration_of) {
      if (iterations.size() == loops.size()) break;
      iterations.push_back({loops[iterations.size()], 0});
    }
    if (!iterations.empty() && iterations.back().loop == next_iteration_of) ++iterations.back().number;
  }
  drop_zeros(iterations);
}

/// Equal positions have equal lists.
void LanePosition::drop_zeros(std::vector<Iteration>& iterations) {
  while (!iterations.empty() && iterations.back().number == 0) iterations.pop_back();
}

void LanePosition::mark_busy() {
  for (const Frame& frame : frames_) {
    if (frame.block != nullptr) frame.block->is_busy = true;
  }
}

void LanePosition::forget_iterations() {
  for (Frame& frame : frames_) frame.iterations.clear();
}

void LanePosition::update_iterations() {
  for (Frame& frame : frames_) {
    if (frame.iterations.empty()) continue;
    const std::vector<Iteration> before = std::exchange(frame.iterations, {});
    for (const Loop* const loop : frame.block->loops) {
      const auto known = std::ranges::find(before, loop, &Iteration::loop);
      frame.iterations.push_back({loop, known == before.end() ? 0 : known->number});
    }
    drop_zeros(frame.iterations);
  }
}

std::weak_ordering LanePosition::compare(const LanePosition& other) const noexcept {
  if (frames_.size() != other.frames_.size()) return other.frames_.size() <=> frames_.size();
  if (frames_.empty()) return std::weak_ordering::equivalent;
  const Frame& a = frames_.back();
  const Frame& b = other.frames_.back();
  if (a.block != nullptr && b.block != nullptr) {
    const std::size_t loops = std::min(a.block->loops.size(), b.block->loops.size());
    for (std::size_t i = 0; i < loops && a.block->loops[i] == b.block->loops[i]; ++i) {
      const std::uint32_t in_a = i < a.iterations.size() ? a.iterations[i].number : 0;
      const std::uint32_t in_b = i < b.iterations.size() ? b.iterations[i].number : 0;
      if (in_a != in_b) return in_a <=> in_b;
    }
  }
  return a.place <=> b.place;
}

bool LanePosition::same_places(const LanePosition& other) const noexcept {
  return std::ranges::equal(frames_, other.frames_,
                            [](const Frame& a, const Frame& b) { return a.place == b.place && a.block == b.block; });
}

}  // namespace d2l::emulator
