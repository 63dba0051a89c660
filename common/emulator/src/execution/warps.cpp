// SPDX-License-Identifier: MIT
// Meetings of the lanes of a warp.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "checks/checker.h"
#include "counts/request_counter.h"
#include "execution/current.h"
#include "execution/lanes.h"
#include "execution/worker.h"

namespace d2l::emulator {
namespace {

const char* name_of(WarpOperation operation) {
  switch (operation) {
    case WarpOperation::synchronise:
      return "__syncwarp";
    case WarpOperation::shuffle:
      return "a shuffle";
    case WarpOperation::ballot:
      return "a vote";
    case WarpOperation::match_any:
    case WarpOperation::match_all:
      return "a match";
    default:
      return "a reduction of the warp";
  }
}

const WarpWork& work_of(const Thread& thread) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  return *reinterpret_cast<const WarpWork*>(thread.bits);
}

const char* name_of(const Thread& thread) {
  return thread.operation == WarpOperation::work ? work_of(thread).name : name_of(thread.operation);
}

/// True if both lanes call the same function; one that all lanes work for, also on the same line.
bool is_same_call(const Thread& a, const Thread& b) {
  if (a.operation != b.operation || a.mask != b.mask) return false;
  if (a.operation != WarpOperation::work) return true;
  const WarpWork& one = work_of(a);
  const WarpWork& other = work_of(b);
  return one.run == other.run && one.kind == other.kind && a.place.line == b.place.line;
}

std::uint32_t reduce(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
  const auto signed_a = static_cast<std::int32_t>(a);
  const auto signed_b = static_cast<std::int32_t>(b);
  switch (operation) {
    case WarpOperation::add:
      return a + b;
    case WarpOperation::minimum_signed:
      return signed_a < signed_b ? a : b;
    case WarpOperation::maximum_signed:
      return signed_a > signed_b ? a : b;
    case WarpOperation::minimum_unsigned:
      return std::min(a, b);
    case WarpOperation::maximum_unsigned:
      return std::max(a, b);
    case WarpOperation::bit_and:
      return a & b;
    case WarpOperation::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

/// The results of all lanes that meet, computed from what they brought.
void compute(WarpOperation operation, Thread* first, LaneBits lanes) {
  std::array<std::uint64_t, max_lanes> brought{};
  for_each_lane(lanes, [&](unsigned lane) { brought[lane] = first[lane].bits; });
  const unsigned lowest = static_cast<unsigned>(std::countr_zero(lanes));
  std::uint64_t joint = brought[lowest];
  if (operation == WarpOperation::ballot) {
    joint = 0;
    for_each_lane(lanes, [&](unsigned lane) { joint |= (brought[lane] & 1U) << lane; });
  } else if (operation == WarpOperation::match_all) {
    LaneBits all = lanes;
    for_each_lane(lanes, [&](unsigned lane) { all = brought[lane] == joint ? all : 0; });
    joint = all;
  } else if (operation >= WarpOperation::add) {
    for_each_lane(lanes & (lanes - 1), [&](unsigned lane) {
      joint = reduce(operation, static_cast<std::uint32_t>(joint), static_cast<std::uint32_t>(brought[lane]));
    });
  }
  for_each_lane(lanes, [&](unsigned lane) {
    Thread& to = first[lane];
    if (operation == WarpOperation::shuffle) {
      // Undefined from a lane that does not take part. Programs that add such values expect 0.
      const unsigned source = lane_of(static_cast<unsigned>(to.source));
      to.bits = has_lane(lanes, source) ? brought[source] : 0;
    } else if (operation == WarpOperation::match_any) {
      to.bits = 0;
      for_each_lane(lanes, [&](unsigned other) {
        if (brought[other] == brought[lane]) to.bits |= lane_bit(other);
      });
    } else {
      to.bits = joint;
    }
  });
}

/// Does what the lanes came for. A lane that has ended is not among them.
void run_work(Thread* first, LaneBits lanes) {
  const OwnCode own;
  std::array<WarpWork*, max_lanes> works{};
  for_each_lane(lanes, [&](unsigned lane) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
    works[lane] = reinterpret_cast<WarpWork*>(first[lane].bits);
  });
  works[static_cast<unsigned>(std::countr_zero(lanes))]->run(works.data());
}

// fail() abandons the frame of its caller, with the strings in it.
std::string needs_narrow_warps(const WarpWork& work, Place place) {
  return fmt::format("{} at {} needs warps of {} lanes, and those of this program have {}", work.name,
                     place_text(place), matrix_lanes, warp_size());
}

/// Notes that all accesses of the lanes before the meeting are ordered before those after it.
void order_lanes(Block& block, Thread* first, unsigned warp, LaneBits lanes) {
  auto& known = block.meetings_known[warp];
  if (known == nullptr) known = std::make_unique<std::array<std::uint32_t, std::size_t{max_lanes} * max_lanes>>();
  std::array<std::uint32_t, max_lanes> joint{};
  std::uint32_t acquired = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    ++first[lane].meetings;
    acquired = std::max(acquired, first[lane].acquired);
    const std::uint32_t* own = known->data() + std::size_t{lane} * max_lanes;
    for (unsigned i = 0; i < warp_size(); ++i) joint[i] = std::max(joint[i], own[i]);
  });
  for_each_lane(lanes, [&](unsigned lane) { joint[lane] = first[lane].meetings; });
  for_each_lane(lanes, [&](unsigned lane) {
    first[lane].acquired = acquired;
    std::copy(joint.begin(), joint.end(), known->data() + std::size_t{lane} * max_lanes);
  });
}

}  // namespace

std::uint64_t Worker::meet(WarpOperation operation, LaneBits mask, std::uint64_t value, int source, Place place) {
  Thread& own = *thread;
  own.operation = operation;
  own.bits = value;
  own.source = source;
  own.place = place;
  own.given_mask = mask;
  if (!has_lane(mask, own.lane())) {
    if (checker != nullptr) checker->report_lane_not_in_mask(name_of(operation), mask, place);
    mask |= lane_bit(own.lane());
  }
  own.mask = mask;
  if (meeting_is_complete(*block, own)) {
    complete_meeting(*block, own);
  } else {
    wait(Wait::warp);
  }
  return own.bits;
}

bool Worker::meeting_is_complete(const Block& of, const Thread& caller) const {
  const unsigned warp = caller.warp();
  const LaneBits needed = caller.mask & ~of.warp_ended[warp] & ~lane_bit(caller.lane());
  if ((needed & ~of.warp_waiting[warp]) != 0) return false;
  const Thread* const first = of.threads.data() + std::size_t{warp} * warp_size();
  bool complete = true;
  for_each_lane(needed, [&](unsigned lane) {
    const Thread& other = first[lane];
    complete = complete && other.wait == Wait::warp && is_same_call(other, caller);
  });
  return complete;
}

/// All lanes have come: computes their results and lets them go on. The caller `last` may run, or wait as the others.
void Worker::complete_meeting(Block& of, Thread& last) const {
  const unsigned warp = last.warp();
  const LaneBits lanes = last.mask & ~of.warp_ended[warp];
  Thread* const first = of.threads.data() + std::size_t{warp} * warp_size();
  if (checker != nullptr && last.operation == WarpOperation::shuffle) {
    for_each_lane(lanes, [&](unsigned lane) {
      const unsigned source = lane_of(static_cast<unsigned>(first[lane].source));
      if (!has_lane(lanes, source)) checker->report_missing_source(of, first[lane], source);
    });
  }
  if (counter != nullptr) {
    const OwnCode own;
    counter->meet(of, warp, lanes);
  }
  if (last.operation == WarpOperation::work) {  // it orders no accesses to memory
    if (checker != nullptr && lanes != all_lanes()) checker->report_missing_lanes(of, last, lanes, work_of(last).name);
    run_work(first, lanes);
  } else {
    compute(last.operation, first, lanes);
    if (checker != nullptr) order_lanes(of, first, warp, lanes);
  }
  const LaneBits waiting = lanes & of.warp_waiting[warp];
  for_each_lane(waiting, [&](unsigned lane) {
    first[lane].wait = Wait::nothing;
    of.ready.push_back(first[lane].fiber);
    --of.waiting_in_warps;
  });
  of.warp_waiting[warp] &= ~waiting;
  of.idle_rounds = 0;
}

void Worker::complete_meetings_without(Block& of, const Thread& gone) {
  const unsigned warp = gone.warp();
  Thread* const first = of.threads.data() + std::size_t{warp} * warp_size();
  for_each_lane(of.warp_waiting[warp], [&](unsigned lane) {
    Thread& waiting = first[lane];
    if (waiting.wait == Wait::warp && meeting_is_complete(of, waiting)) complete_meeting(of, waiting);
  });
}

/// No thread of the block can run: those that wait for the rest of their warp, at one line each, are what converges.
/// Those that wait for room in their log go on when what their warp has done is counted.
bool Worker::complete_convergence(Block& of) const {
  bool any = false;
  for (unsigned warp = 0; warp * warp_size() < block_threads; ++warp) {
    Thread* const first = of.threads.data() + std::size_t{warp} * warp_size();
    const auto release = [&](LaneBits lanes) {
      for_each_lane(lanes, [&](unsigned lane) {
        first[lane].bits = lanes;
        first[lane].wait = Wait::nothing;
        of.ready.push_back(first[lane].fiber);
        --of.waiting_in_warps;
      });
      of.warp_waiting[warp] &= ~lanes;
      any = any || lanes != 0;
    };
    LaneBits left = 0;
    LaneBits full = 0;
    for_each_lane(of.warp_waiting[warp], [&](unsigned lane) {
      if (first[lane].wait == Wait::convergence) left |= lane_bit(lane);
      if (first[lane].wait == Wait::room_in_log) full |= lane_bit(lane);
    });
    if (full != 0) {
      release(counter->make_room(of, warp, full));
      continue;
    }
    while (left != 0) {
      const int line = first[std::countr_zero(left)].place.line;
      LaneBits together = 0;
      for_each_lane(left, [&](unsigned lane) {
        if (first[lane].place.line == line) together |= lane_bit(lane);
      });
      if (counter != nullptr) counter->meet(of, warp, together);
      release(together);
      left &= ~together;
    }
  }
  return any;
}

/// Ends the kernel: no thread of the block can ever run again.
void Worker::report_deadlock(Block& of) {
  if (of.reported) {  // a consequence of what is reported
    failed_ = true;
    fault_ = KernelFault{};
    return;
  }
  for (Thread& waiting : of.threads) {
    if (waiting.wait != Wait::warp || waiting.ended) continue;
    const unsigned warp = waiting.warp();
    Thread* const first = of.threads.data() + std::size_t{warp} * warp_size();
    std::string missing;
    for_each_lane(waiting.mask & ~of.warp_ended[warp], [&](unsigned lane) {
      const Thread& other = first[lane];
      if (!missing.empty() || (other.wait == Wait::warp && is_same_call(other, waiting))) return;
      missing = fmt::format("lane {} ({}) does not take part: it waits at {}", lane, thread_text(other.number),
                            place_text(other.place));
    });
    thread = &waiting;
    fail(FaultKind::deadlock, fmt::format("deadlock: {} with mask {} at {}: {}", name_of(waiting),
                                          mask_text(waiting.given_mask), place_text(waiting.place), missing));
  }
  for (Thread& waiting : of.threads) {
    if (waiting.wait != Wait::block_barrier) continue;
    thread = &waiting;
    fail(FaultKind::deadlock,
         fmt::format("deadlock: {} of {} threads wait at __syncthreads ({}), which the others never reach",
                     of.at_barrier.size(), block_threads, place_text(waiting.place)));
  }
  fail(FaultKind::deadlock, "deadlock: no thread of the block can run");
}

std::uint64_t warp_meet(WarpOperation operation, std::uint64_t mask, std::uint64_t value, int source, Place place) {
  Worker* const worker = running_worker();
  return worker == nullptr ? value : worker->meet(operation, mask, value, source, place);
}

void use_warps_of_64_lanes() noexcept { warp_shift = 6; }

void warp_work(WarpWork& own, Place place) {
  Worker* const worker = running_worker();
  if (worker == nullptr) return;
  if (warp_size() != matrix_lanes) {
    worker->fail(FaultKind::check, needs_narrow_warps(own, place));
  }
  worker->meet(WarpOperation::work, all_lanes(), reinterpret_cast<std::uintptr_t>(&own), 0, place);
}

std::uint64_t converged_lanes(Place place) {
  Worker* const worker = running_worker();
  if (worker == nullptr) return 1;
  worker->thread->place = place;
  worker->wait(Wait::convergence);
  return worker->thread->bits;
}

int lane() noexcept { return static_cast<int>(lane_of(thread_number())); }

unsigned thread_number() noexcept { return current_state.worker == nullptr ? 0 : running_number(); }

}  // namespace d2l::emulator
