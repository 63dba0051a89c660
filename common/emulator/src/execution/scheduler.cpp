// SPDX-License-Identifier: MIT
// The order in which blocks, and the threads of a block, run.
#include <sched.h>

#include <algorithm>

#include "checks/checker.h"
#include "counts/request_counter.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {
namespace {

/// Rounds in which all threads of a block only yield before other blocks run.
constexpr unsigned max_idle_rounds = 3;
constexpr std::uint64_t max_resident_threads = 65536;

}  // namespace

void Worker::fiber_entry() {
  Worker* const worker = current_state.worker;
  entered_context(worker->fiber->context, worker->scheduler_);
  worker->run_threads();
}

/// Runs one thread of the block after the other; a thread that waits keeps the fiber.
void Worker::run_threads() {
  Fiber* const own = fiber;
  for (;;) {
    while (block->started < block_threads) {
      const auto number = static_cast<unsigned>(block->order.next());
      ++block->started;
      Thread& next = block->threads[number];
      next.number = number;
      next.started = true;
      next.fiber = own;
      own->thread = &next;
      thread = &next;
      current_thread_index = thread_indices[number];
      current_state.own_code = false;  // an abandoned thread may have left it set
      launch->body();
      current_state.own_code = true;
      finish_thread(*thread);
    }
    own->thread = nullptr;
    switch_context(own->context, scheduler_);
  }
}

void Worker::finish_thread(Thread& ended_thread) {
  ended_thread.ended = true;
  block->warp_ended[ended_thread.warp()] |= 1U << ended_thread.lane();
  ++block->ended;
  block->idle_rounds = 0;
  if (checker != nullptr) checker->end_thread();
  if (block->waiting_in_warps != 0) complete_meetings_without(*block, ended_thread);
}

void Worker::resume(Fiber* next) {
  fiber = next;
  thread = next->thread;
  current_state.stack_low = reinterpret_cast<std::uintptr_t>(next->low);
  if (thread != nullptr) {
    thread->wait = Wait::nothing;
    current_thread_index = thread_indices[thread->number];
  }
  switch_context(scheduler_, next->context);
  const bool overflowed = FiberPool::overflowed(*next);
  if (next->thread != nullptr) thread = next->thread;
  if (signal_ != 0) explain_signal();
  if (overflowed && !failed_) {
    failed_ = true;
    fault_ = {FaultKind::stack_overflow,
              running() + ": the stack overflowed: a recursion or a local array is too large"};
  }
  if (failed_) return;
  fiber = nullptr;
  if (next->thread == nullptr) {
    fibers.give(next);
  } else if (thread->ended) {
    fibers.reset(next, &Worker::fiber_entry);
  }
}

void Worker::wait(Wait how) {
  Fiber* const own = fiber;
  current_state.own_code = true;
  thread->wait = how;
  switch (how) {
    case Wait::block_barrier:
      block->at_barrier.push_back(own);
      break;
    case Wait::grid_barrier:
      block->at_grid_barrier.push_back(own);
      break;
    case Wait::yield:
      block->yielded.push_back(own);
      break;
    case Wait::warp:
    case Wait::convergence:
    case Wait::room_in_log:
      ++block->waiting_in_warps;
      block->warp_waiting[thread->warp()] |= 1U << thread->lane();
      break;
    case Wait::nothing:
      break;
  }
  if (checker != nullptr) checker->flush_pending();
  switch_context(own->context, scheduler_);
  current_state.own_code = false;
}

void Worker::leave_fiber() {
  Context abandoned;
  switch_context(abandoned, scheduler_);
  __builtin_unreachable();
}

void Worker::stop_thread() {
  thread->stopped = true;
  block->reported = true;
  finish_thread(*thread);
  leave_fiber();
}

void Worker::fail(FaultKind kind, std::string what) {
  current_state.own_code = true;
  failed_ = true;
  fault_ = {kind, running() + ": " + what};
  std::string().swap(what);  // the caller's frame is abandoned
  if (fiber != nullptr) leave_fiber();
  throw kind;  // in the scheduler; run() catches it
}

/// Runs the threads of a block until it is finished or can only wait for other blocks.
Worker::Progress Worker::advance(Block& of) {
  while (!failed_) {
    if (of.started < block_threads) {
      resume(fibers.take(&Worker::fiber_entry));
    } else if (!of.ready.empty()) {
      Fiber* const next = of.ready.front();
      of.ready.pop_front();
      resume(next);
    } else if (of.ended == block_threads) {
      return Progress::finished;
    } else if (!of.at_barrier.empty() && of.at_barrier.size() + of.ended == block_threads) {
      release_barrier(of);
    } else if (of.waiting_in_warps != 0 && complete_convergence(of)) {
      of.ready.insert(of.ready.end(), of.yielded.begin(), of.yielded.end());  // they may wait for each other
      of.yielded.clear();
    } else if (!of.yielded.empty()) {
      if (++of.idle_rounds > max_idle_rounds) {
        of.idle_rounds = 0;
        return Progress::stalled;
      }
      of.ready.assign(of.yielded.begin(), of.yielded.end());
      of.yielded.clear();
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
  of.ready.assign(of.at_barrier.begin(), of.at_barrier.end());
  of.at_barrier.clear();
  if (checker != nullptr) checker->new_epoch(of);
}

void Worker::start_block(Block& of, std::uint64_t number) const {
  of.number = number;
  of.index = {static_cast<unsigned>(number % launch->grid.x),
              static_cast<unsigned>(number / launch->grid.x % launch->grid.y),
              static_cast<unsigned>(number / launch->grid.x / launch->grid.y)};
  of.threads.assign(block_threads, Thread{});
  of.order = Order(block_threads, launch->seed == 0 ? 0 : mix(launch->seed ^ (number + 1)) | 1U);
  of.started = of.ended = of.idle_rounds = of.waiting_in_warps = 0;
  of.warp_waiting.fill(0);
  of.warp_ended.fill(0);
  if (block_threads % warp_size != 0) of.warp_ended[block_threads / warp_size] = ~0U << (block_threads % warp_size);
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
  if (checker != nullptr) checker->grid_barrier();
  for (auto& of : resident_) {
    if (checker != nullptr) checker->new_epoch(*of);
    of->ready.assign(of->at_grid_barrier.begin(), of->at_grid_barrier.end());
    of->at_grid_barrier.clear();
  }
}

void Worker::run_blocks() {
  Order order(blocks_, launch->seed);
  std::size_t turn = 0;
  while (!failed_ && blocks_ended_ < blocks_) {
    // A new block runs when none is resident, or when all that are have stalled.
    const bool all_stalled = turn >= resident_.size();
    if (all_stalled && blocks_started_ < blocks_ &&
        (resident_.empty() || resident_.size() * block_threads < max_resident_threads)) {
      if (spare_.empty()) spare_.push_back(std::make_unique<Block>());
      resident_.push_back(std::move(spare_.back()));
      spare_.pop_back();
      start_block(*resident_.back(), order.next());
      ++blocks_started_;
      turn = resident_.size() - 1;
    } else if (all_stalled) {
      turn = 0;
      std::uint64_t at_grid_barrier = 0;
      std::uint64_t live = 0;
      for (const auto& of : resident_) {
        at_grid_barrier += of->at_grid_barrier.size();
        live += block_threads - of->ended;
      }
      if (at_grid_barrier == live) {
        if (blocks_started_ < blocks_)
          fail(FaultKind::deadlock, "grid.sync() needs all blocks at once: too many threads");
        release_grid_barrier();
      } else {
        sched_yield();  // perhaps another stream or the host sets what the threads wait for
      }
    }
    Block& of = *resident_[turn];
    put_in_place(of);
    if (advance(of) == Progress::stalled) {
      ++turn;
      continue;
    }
    if (failed_) return;
    if (counter != nullptr) counter->end_block(of);
    ++blocks_ended_;
    block = nullptr;
    spare_.push_back(std::move(resident_[turn]));
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(turn));
    if (turn >= resident_.size()) turn = 0;
    if (resident_.empty()) turn = 0;
  }
}

/// Forgets all frames of a kernel that failed.
void Worker::abandon_all() {
  std::vector<Fiber*> used;
  for (auto& of : resident_) {
    for (Thread& each : of->threads) {
      if (each.started && !each.ended && each.fiber != nullptr) used.push_back(each.fiber);
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

KernelOutcome Worker::run(const KernelLaunch& wanted, const AllocationTable& table) {
  launch = &wanted;
  allocations = &table;
  failed_ = false;
  counts = {};
  block_threads = wanted.block.x * wanted.block.y * wanted.block.z;
  blocks_ = std::uint64_t{wanted.grid.x} * wanted.grid.y * wanted.grid.z;
  blocks_started_ = blocks_ended_ = 0;
  thread_indices.resize(block_threads);
  for (unsigned i = 0; i < block_threads; ++i) {
    thread_indices[i] = {i % wanted.block.x, i / wanted.block.x % wanted.block.y, i / wanted.block.x / wanted.block.y};
  }
  current_state.worker = this;
  current_block_size = wanted.block;
  current_grid_size = wanted.grid;
  checker = wanted.checked ? kept_checker_.get() : nullptr;
  counter = wanted.counted ? kept_counter_.get() : nullptr;
  if (wanted.checked || wanted.counted) kept_checker_->begin_launch();  // the counts use its regions
  if (counter != nullptr) counter->begin_launch();
  current_state.instrumented = wanted.checked || wanted.counted;
  try {
    run_blocks();
  } catch (FaultKind) {  // fail() has noted it
  }
  current_state.instrumented = false;
  current_state.worker = nullptr;
  counts.blocks = blocks_ended_;
  counts.threads = blocks_ended_ * block_threads;
  counts.warps = blocks_ended_ * ((block_threads + warp_size - 1) / warp_size);
  KernelOutcome outcome;
  if (failed_) {
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
  } else {
    table.mark_all_initialised();
  }
  if (wanted.counted) counter->end_launch();
  outcome.counts = std::move(counts);
  return outcome;
}

}  // namespace d2l::emulator
