// SPDX-License-Identifier: MIT
// Races of a kernel with the one that launched it: an access of the parent that is not before the launch.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "checks/checker.h"
#include "checks/source_lines.h"

namespace d2l::emulator {
namespace {

/// True if the parent's access is before the launch, or may be after a fence that the child knows of.
bool before(const LaunchPoint& launch, const ShadowAccess& access, const Epoch& then) {
  if (then.grid_phase != launch.grid_phase) return then.grid_phase < launch.grid_phase;
  const bool same_block = then.block == launch.block;
  if (same_block && then.phase < launch.phase) return true;
  if (same_block && access.thread() == launch.thread && access.epoch <= launch.epoch) return true;
  if (then.time < launch.acquired || then.time < launch.parent->last_fence) return true;
  const bool same_warp = same_block && then.phase == launch.phase && warp_of(access.thread()) == warp_of(launch.thread);
  return same_warp && launch.meetings && (*launch.meetings)[lane_of(access.thread())] > access.meetings();
}

}  // namespace

std::shared_ptr<const LaunchPoint> Checker::launch_point() {
  Block& block = *worker_.block;
  const Thread& thread = *worker_.thread;
  if (run_ == nullptr) {
    run_ = std::make_shared<ParentRun>();
    run_->checker = this;
    run_->kernel = worker_.launch->name;
    run_->grid = worker_.launch->grid;
    run_->block = worker_.launch->block;
    run_->first_epoch = first_epoch_;
    run_->point = worker_.launch->point;
  }
  auto point = std::make_shared<LaunchPoint>();
  point->parent = run_;
  point->block = block.number;
  point->thread = thread.number;
  point->epoch = block.epoch;
  point->phase = block.phase;
  point->grid_phase = grid_phase_;
  point->acquired = std::max(thread.acquired, block.acquired);
  if (const auto& known = block.meetings_known[thread.warp()]; known != nullptr) {
    auto& row = point->meetings.emplace();
    std::copy_n(known->begin() + std::size_t{max_lanes} * thread.lane(), max_lanes, row.begin());
  }
  new_epoch(block);  // what the thread does from now on is after the launch
  return point;
}

/// The accesses of a parent are known if its threads ran on this worker, and have ended.
void Checker::begin_with_parents() {
  const auto& point = worker_.launch->point;
  parents_ = point != nullptr && point->parent->checker == this ? point.get() : nullptr;
  oldest_epoch_ = first_epoch_;
  for (const LaunchPoint* one = parents_; one != nullptr && one->parent->checker == this;
       one = one->parent->point.get()) {
    if (one->parent->epochs.empty()) break;
    oldest_epoch_ = one->parent->first_epoch;
  }
}

void Checker::end_as_parent() {
  if (run_ == nullptr) return;
  run_->epochs = std::move(epochs_);
  run_->last_fence = time_ > 1 ? time_ : 0;
  run_.reset();
}

const LaunchPoint* Checker::launch_after(const ShadowAccess& access) const {
  for (const LaunchPoint* one = parents_; one != nullptr; one = one->parent->point.get()) {
    const ParentRun& parent = *one->parent;
    const std::size_t index = access.epoch - parent.first_epoch;
    if (parent.checker == this && access.epoch >= parent.first_epoch && index < parent.epochs.size()) return one;
  }
  return nullptr;
}

bool Checker::concurrent_with_parent(const ShadowAccess& earlier) const {
  const LaunchPoint* const launch = launch_after(earlier);
  return launch != nullptr &&
         !before(*launch, earlier, launch->parent->epochs[earlier.epoch - launch->parent->first_epoch]);
}

void Checker::report_race_with_parent(std::string_view kind, const ShadowAccess& earlier, const Access& access) {
  if (!reports_.is_new("race with parent", access.caller)) return;
  const ParentRun& parent = *launch_after(earlier)->parent;
  const std::uint64_t block = parent.epochs[earlier.epoch - parent.first_epoch].block;
  const unsigned number = earlier.thread();
  const std::string thread =
      fmt::format("block ({}, {}, {}), thread ({}, {}, {})", block % parent.grid.x,
                  block / parent.grid.x % parent.grid.y, block / parent.grid.x / parent.grid.y, number % parent.block.x,
                  number / parent.block.x % parent.block.y, number / parent.block.x / parent.block.y);
  const SourceLine here = line_in_launch(access.caller, *worker_.launch);
  const SourceLine there = earlier.place == 0 ? SourceLine{"", 0, false, "", ""}
                                              : line_in_launch(expanded_place(earlier.place), *worker_.launch);
  Race race;
  race.element = element_text(*access.region.allocation, static_cast<std::ptrdiff_t>(access.offset), access.bytes);
  race.report = fmt::format(
      "race at {}: {}: {}, {}, with kernel {}, which launched it, {}{}: nothing orders the launch "
      "and that access. A child runs at any time from its launch on, and only what the thread did "
      "before, or its block before a barrier, comes first. Read results in a kernel that is "
      "launched after the child in its stream, or in cudaStreamTailLaunch",
      here.text(), worker_.running(), kind, race.element, parent.kernel, thread,
      earlier.place == 0 ? "" : " at " + there.text());
  reports_.add(FaultKind::check, race.report);
  const auto side = [](std::string text, std::string_view what, const SourceLine& line) {
    return Race::Side{std::move(text), std::string(what), line.line > 0 ? line.file : "", line.line};
  };
  race.first = side("kernel " + parent.kernel + ", " + thread, kind.substr(kind.rfind(' ') + 1), there);
  race.second = side(worker_.running(), kind.substr(0, kind.find(' ')), here);
  race.same_block = false;
  races_.push_back(std::move(race));
}

}  // namespace d2l::emulator
