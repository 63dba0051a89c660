// SPDX-License-Identifier: MIT
// RequestCounter: counts the steps and the memory requests that the warps of a launch make on a card.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "checks/access.h"
#include "checks/regions.h"
#include "checks/source_lines.h"
#include "counts/lane_position.h"
#include "counts/request_samples.h"
#include "counts/warp_steps.h"
#include "execution/worker.h"

namespace d2l::emulator {

class RequestCounter final : private StepCounter {
 public:
  explicit RequestCounter(Worker& worker) : worker_(worker) {}

  void begin_launch();
  /// `region` contains the address; null if it is not memory of the device, for example an argument.
  void access(const Region* region, const void* address, std::size_t bytes, AccessKind kind, const void* caller) {
    if (bytes != 4 || region == nullptr || region->constant || is_atomic(kind))
      return access_other(region, address, bytes, kind, caller);
    if (worker_.thread->quiet_place != 0) leave_quiet_loop();
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    add({compressed_place(caller), begin, bytes, writes(kind), region->shared}, begin);
  }
  /// The running thread comes to a basic block, enters a function and leaves one.
  void block(const void* caller) {
    const std::int32_t place = compressed_place(caller);
    Thread& thread = *worker_.thread;
    if (flow_.is_quiet(place)) {
      ++thread.quiet_blocks;
      thread.quiet_place = place;
      return;
    }
    thread.quiet_place = 0;
    add(Event::block(place), 0);
  }
  void enter(const void* caller) {
    if (worker_.thread->quiet_place != 0) leave_quiet_loop();
    ++worker_.thread->depth;
    add(Event::entry(compressed_place(caller)), 0);
  }
  void leave() const { --worker_.thread->depth; }
  /// These lanes of a warp of the block meet.
  void meet(Block& of, unsigned warp, LaneBits lanes);
  /// Counts what the warp has done, as far as its lanes have come. Returns those of the waiting lanes that may go on.
  LaneBits make_room(Block& of, unsigned warp, LaneBits waiting);
  /// All threads are at a barrier.
  void end_phase(Block& of);
  void end_block(Block& of);
  void switch_block(Block& of);
  /// Adds what was counted to the worker's counts.
  void end_launch();

 private:
  struct Warp {
    WarpSteps steps;
    std::uint64_t made = 0;  ///< steps
    LaneBits worked = 0;     ///< lanes that accessed memory
    bool diverged = false;

    void clear() {
      steps.clear();
      made = 0;
      worked = 0;
      diverged = false;
    }
  };
  using Warps = std::vector<Warp>;

  /// The counts of an instruction.
  struct PlaceCounts : LineCounts {
    std::uint64_t sampled = 0;  ///< the rank of its request that is kept; the largest number if none is wanted
  };
  PlaceCounts& counts_at(const void* caller);
  void access_other(const Region* region, const void* address, std::size_t bytes, AccessKind kind, const void* caller);
  void add(Event event, std::uintptr_t address) {
    const Thread& thread = *worker_.thread;
    WarpSteps& steps = warps_[thread.warp()].steps;
    if (steps.add(thread.lane(), {event, static_cast<std::uint32_t>(address), thread.depth})) wait_for_room();
  }
  void wait_for_room();
  void leave_quiet_loop();
  void make(const Step& step) override;
  void count_access(const Step& step);
  /// Keeps the request if it costs more than the one that is kept, or as much and is of an earlier block or warp: the
  /// order in which blocks run does not matter.
  void offer_sample(const Step& step, PlaceCounts& at, const void* place, unsigned cost) {
    constexpr std::uint64_t last = (std::uint64_t{1} << 56U) - 1;
    const auto warp = static_cast<std::uint64_t>(warp_ - warps_.data());
    const std::uint64_t rank = std::uint64_t{cost} << 56U | (last - (block_ * max_warps + warp));
    if (rank <= at.sampled) return;
    at.sampled = rank;
    samples_.keep(worker_, place, {step.event, step.addresses, step.lanes, cost, block_, static_cast<unsigned>(warp)});
  }
  void count_quiet_blocks(const Block& of);

  Worker& worker_;
  std::unordered_map<std::uint64_t, Warps> parked_;  ///< of blocks that wait while others run
  Warps warps_;                                      ///< of the running block
  Warp* warp_ = nullptr;                             ///< that makes steps
  std::uint64_t block_ = 0;
  ControlFlow flow_;
  std::unordered_map<const void*, PlaceCounts> by_place_;
  std::array<std::pair<const void*, PlaceCounts*>, 64> recent_{};  ///< of by_place_
  RequestSamples samples_;
};

}  // namespace d2l::emulator
