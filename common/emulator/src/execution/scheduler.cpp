// SPDX-License-Identifier: MIT
// The order in which blocks run, and the fibers of a block.
#include <sched.h>

#include <algorithm>

#include "checks/checker.h"
#include "counts/request_counter.h"
#include "execution/current.h"
#include "execution/order.h"
#include "execution/worker.h"
#include "nested/children.h"

namespace d2l::emulator {
namespace {

/// Rounds in which all threads of a block only yield before other blocks run.
constexpr unsigned max_idle_rounds = 3;
constexpr std::uint64_t max_resident_threads = 65536;

}  // namespace

/// Runs the threads of a block until it is finished or can only wait for other blocks.
Worker::Progress Worker::advance(Block& of) {
  while (!failed_) {
    if (thread_loop.left != 0) {
      resume(fibers.take(&Worker::fiber_entry));
    } else if (!of.ready.empty()) {
      resume(of.ready.take_first());
    } else if (of.ended == block_threads) {
      return Progress::finished;
    } else if (!of.at_barrier.empty() && of.at_barrier.size() + of.ended == block_threads) {
      release_barrier(of);
    } else if (of.waiting_in_warps != 0 && complete_convergence(of)) {
      of.ready.append(of.yielded);  // they may wait for each other
    } else if (!of.yielded.empty()) {
      if (++of.idle_rounds > max_idle_rounds) {
        of.idle_rounds = 0;
        return Progress::stalled;
      }
      of.ready.append(of.yielded);
    } else if (!of.at_grid_barrier.empty()) {
      return Progress::stalled;
    } else {
      report_deadlock(of);
    }
  }
  return Progress::finished;
}

void Worker::release_barrier(Block& of) {
  ++counts.barriers;
  blocks_->note_progress();
  of.idle_rounds = 0;
  const unsigned waiting = static_cast<unsigned>(of.at_barrier.size());
  of.barrier_count = of.barrier_sum;
  of.barrier_all = of.barrier_sum == static_cast<int>(waiting);
  of.barrier_sum = 0;
  if (checker != nullptr) checker->block_barrier(of);
  if (counter != nullptr) counter->end_phase(of);
  // Every second phase runs backwards, so that no thread is always ahead of its neighbour.
  if (launch->seed != 0 && of.phase % 2 == 1) std::reverse(of.at_barrier.begin(), of.at_barrier.end());
  ++of.phase;
  of.phase_epoch = 0;
  if (!begin_round(of)) of.ready.append(of.at_barrier);
  of.only_barriers = true;
  if (checker != nullptr) checker->new_epoch(of);
}

void Worker::start_block(Block& of, std::uint64_t number) const {
  of.number = number;
  of.index = {static_cast<unsigned>(number % launch->grid.x),
              static_cast<unsigned>(number / launch->grid.x % launch->grid.y),
              static_cast<unsigned>(number / launch->grid.x / launch->grid.y)};
  Order order = blocks_->threads_of(number, block_threads);
  thread_loop.step = static_cast<unsigned>(order.step());
  thread_loop.wrap = block_threads - thread_loop.step;
  thread_loop.next = static_cast<unsigned>(order.next());
  if (thread_loop.wrap == 1 && thread_loop.next == thread_loop.step) {  // descending: down to 0 without a wrap
    thread_loop.step = ~0U;
    thread_loop.wrap = ~0U;
  }
  thread_loop.left = block_threads;
  of.seen = false;
  of.only_barriers = true;
  of.ended = of.idle_rounds = of.waiting_in_warps = 0;
  of.warp_waiting.fill(0);
  of.warp_ended.fill(~all_lanes());
  if (const unsigned rest = lane_of(block_threads); rest != 0) {
    of.warp_ended[warp_of(block_threads)] = ~LaneBits{0} << rest;
  }
  of.barrier_sum = 0;
  of.reported = false;
  of.phase = of.epoch = of.phase_epoch = of.acquired = of.fenced = 0;
  of.last_barrier = {"", 0};
  of.shared.clear();
  of.saved_shared.clear();
  of.saved_initialised.clear();
  for (auto& known : of.meetings_known) known.reset();
  of.tiles.reset();
}

/// Exchanges the contents of the shared memory: all blocks use the same addresses.
void Worker::put_in_place(Block& next) {
  if (block == &next) return;
  if (block != nullptr) {
    block->saved_shared.clear();
    for (const SharedRange& range : block->shared) {
      block->saved_shared.emplace_back(range.begin, range.begin + range.bytes);
    }
    if (checker != nullptr) checker->save_shared(*block);
  }
  block = &next;
  for (std::size_t i = 0; i < next.saved_shared.size(); ++i) {
    std::copy(next.saved_shared[i].begin(), next.saved_shared[i].end(), next.shared[i].begin);
  }
  current_block_index = next.index;
  if (checker != nullptr) checker->switch_block(next);
  if (counter != nullptr) counter->switch_block(next);
}

void Worker::release_grid_barrier() {
  blocks_->note_progress();
  if (checker != nullptr) checker->grid_barrier();
  for (auto& of : resident_) {
    if (checker != nullptr) checker->new_epoch(*of);
    of->ready.append(of->at_grid_barrier);
  }
}

/// True if there was one.
bool Worker::start_next_block() {
  std::uint64_t number = 0;
  if (!resident_.empty() && resident_.size() * block_threads >= max_resident_threads) return false;
  if (!blocks_->take(number)) return false;
  if (spare_.empty()) spare_.push_back(std::make_unique<Block>());
  resident_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  start_block(*resident_.back(), number);
  return true;
}

/// All resident blocks have stalled, and no further one can start.
void Worker::wait_for_others() {
  std::uint64_t at_grid_barrier = 0;
  std::uint64_t live = 0;
  for (const auto& of : resident_) {
    at_grid_barrier += of->at_grid_barrier.size();
    live += block_threads - of->ended;
  }
  if (at_grid_barrier == live) {
    if (!blocks_->empty()) fail(FaultKind::deadlock, "grid.sync() needs all blocks at once: too many threads");
    release_grid_barrier();
  } else if (launch->children == nullptr || !launch->children->run_for_stalled_parent()) {
    if (blocks_->suspicions() != 0) end_if_endless();
    sched_yield();  // perhaps another core, another stream or the host sets what the threads wait for
  }
}

/// Ends a kernel that only waits, if nothing can change what it waits for.
void Worker::end_if_endless() {
  std::vector<const Block*> all;
  for (const auto& of : resident_) all.push_back(of.get());
  if (blocks_->reads_clock() || !verdict_.never_ends(*this, all.data(), all.size(), blocks_->suspicions())) return;
  failed_ = true;
  fault_ = KernelFault{FaultKind::deadlock, blocks_->report()};
  throw FaultKind::deadlock;  // run() catches it
}

void Worker::finish_block(std::size_t turn) {
  if (counter != nullptr) counter->end_block(*resident_[turn]);
  ++blocks_ended_;
  blocks_->note_progress();
  block = nullptr;
  spare_.push_back(std::move(resident_[turn]));
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(turn));
}

void Worker::run_blocks() {
  std::size_t turn = 0;
  while (!blocks_->stopped()) {
    // A new block runs when none is resident, or when all that are have stalled.
    if (turn >= resident_.size()) {
      if (start_next_block()) {
        turn = resident_.size() - 1;
      } else if (resident_.empty()) {
        return;
      } else {
        turn = 0;
        wait_for_others();
      }
    }
    Block& of = *resident_[turn];
    put_in_place(of);
    if (advance(of) == Progress::stalled) {
      ++turn;
      continue;
    }
    if (failed_) return;
    finish_block(turn);
    if (turn >= resident_.size()) turn = 0;
  }
  failed_ = true;  // elsewhere
  fault_.reset();
}

/// Forgets all frames of a kernel that failed.
void Worker::abandon_all() {
  std::vector<Fiber*> used;
  for (auto& of : resident_) {
    for (Thread& each : of->threads) {
      if (of->seen && each.started && !each.ended && each.fiber != nullptr) used.push_back(each.fiber);
    }
    of->ready.clear();
    of->at_barrier.clear();
    of->at_grid_barrier.clear();
    of->yielded.clear();
    spare_.push_back(std::move(of));
  }
  resident_.clear();
  if (fiber != nullptr) used.push_back(fiber);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (Fiber* each : used) fibers.reset(each, &Worker::fiber_entry);
  fiber = nullptr;
  thread = nullptr;
  block = nullptr;
}

KernelOutcome Worker::run(const KernelLaunch& wanted, const AllocationTable& table, BlockSource& blocks) {
  launch = &wanted;
  allocations = &table;
  failed_ = false;
  counts = {};
  block_threads = wanted.block.x * wanted.block.y * wanted.block.z;
  blocks_ = &blocks;
  blocks_ended_ = 0;
  thread_indices.resize(block_threads);
  for (unsigned i = 0; i < block_threads; ++i) {
    thread_indices[i] = {i % wanted.block.x, i / wanted.block.x % wanted.block.y, i / wanted.block.x / wanted.block.y};
  }
  thread_loop.indices = wanted.block.y == 1 && wanted.block.z == 1 ? nullptr : thread_indices.data();
  thread_loop.state = ThreadState::seen;
  barrier_round = {};
  current_thread_index.set({0, 0, 0});
  current_state.worker = this;
  current_block_size = wanted.block;
  current_grid_size = wanted.grid;
  checker = wanted.checked ? kept_checker_.get() : nullptr;
  counter = wanted.counted ? kept_counter_.get() : nullptr;
  if (wanted.checked || wanted.counted) kept_checker_->begin_launch();  // the counts use its regions
  if (counter != nullptr) counter->begin_launch();
  current_state.instrumented = wanted.checked || wanted.counted;
  try {
    const watchdog::WatchedKernel watched(wanted, blocks);
    run_blocks();
  } catch (FaultKind) {  // fail() has noted it
  }
  current_state.instrumented = false;
  current_state.worker = nullptr;
  counts.blocks = blocks_ended_;
  counts.threads = blocks_ended_ * block_threads;
  counts.warp_size = warp_size();
  counts.warps = blocks_ended_ * warp_of(block_threads + warp_size() - 1);
  KernelOutcome outcome;
  if (failed_) {
    blocks.stop();
    abandon_all();
    outcome.fault = fault_;
  }
  if (wanted.checked) {
    const std::string reports = checker->end_launch();
    outcome.races = checker->take_races();
    if (!reports.empty()) {
      if (outcome.fault) outcome.fault->text = reports + outcome.fault->text;
      if (!outcome.fault) outcome.fault = KernelFault{checker->worst(), reports};
    }
  }
  if (wanted.counted) counter->end_launch();
  outcome.counts = std::move(counts);
  return outcome;
}

}  // namespace d2l::emulator
