// SPDX-License-Identifier: MIT
// How the threads of a block start, wait in their fibers, and end.
#include "checks/checker.h"
#include "execution/current.h"
#include "execution/worker.h"
#include "watchdog/samples.h"

namespace d2l::emulator {

/// The fiber with which the block goes on; null if the scheduler has to decide.
inline Fiber* Worker::next_fiber() noexcept {
  if (failed_ || FiberPool::overflowed(*fiber)) return nullptr;
  if (thread_loop.left != 0) return fibers.take_idle();
  return block->ready.empty() ? nullptr : block->ready.take_first();
}

inline void Worker::enter(Fiber* next, Context& from) noexcept {
  came_from_ = &from;
  fiber = next;
  thread = next->thread;
  current_state.stack_low = reinterpret_cast<std::uintptr_t>(next->low);
  if (thread == nullptr) return;
  block->ready.prefetch();
  thread->wait = Wait::nothing;
  current_thread_index.set(next->index);
}

/// Saves the running fiber and goes on with the next one, or with the scheduler.
inline void Worker::switch_from(Fiber* own, Fiber* next) {
  if (next == nullptr) {
    switch_context(own->context, scheduler_);
  } else {
    enter(next, own->context);
    switch_context(own->context, next->context);
  }
}

void Worker::fiber_entry() {
  Worker* const worker = current_state.worker;
  entered_context(worker->fiber->context, *worker->came_from_);
  worker->run_threads();
}

/// Runs one thread of the block after the other; a thread that waits keeps the fiber.
void Worker::run_threads() {
  Fiber* const own = fiber;
  for (;;) {
    if (launch->loops) {
      thread_loop.state = ThreadState::ahead;
      current_state.own_code = false;  // an abandoned thread may have left it set
      launch->body();
      current_state.own_code = true;
      end_loop();
    }
    while (thread_loop.left != 0) {
      start_thread(thread_loop.start());
      current_state.own_code = false;
      launch->body();
      current_state.own_code = true;
      finish_thread(*thread);
    }
    own->thread = nullptr;
    Fiber* const next = next_fiber();
    if (next != nullptr) fibers.give(own);
    switch_from(own, next);
  }
}

void Worker::start_thread(unsigned number) {
  if (!block->seen) block->threads.assign(block_threads, Thread{});
  block->seen = true;
  thread = &block->threads[number];
  thread->number = number;
  thread->started = true;
  thread->fiber = fiber;
  fiber->thread = thread;
  fiber->number = number;
  fiber->index = thread_indices[number];
  current_thread_index.set(fiber->index);
}

void Worker::catch_up() {
  const OwnCode own;
  if (thread_loop.state == ThreadState::in_round) {
    leave_round();
    return;
  }
  const unsigned running = running_number();
  thread_loop.state = ThreadState::seen;
  while (thread_loop.left != 0) {
    start_thread(thread_loop.start());
    if (thread->number == running) return;
    finish_thread(*thread);
  }
}

void Worker::end_seen_thread() {
  const OwnCode own;
  if (thread_loop.state == ThreadState::in_round) leave_round();
  finish_thread(*thread);
  fiber->thread = nullptr;
  thread_loop.state = ThreadState::ahead;
}

void end_seen_thread() noexcept { current_state.worker->end_seen_thread(); }

/// All threads that had not started before the loop, and did not in another one, have run in it.
void Worker::end_loop() {
  thread_loop.state = ThreadState::seen;
  if (!block->seen) {
    block->ended = block_threads;
    thread_loop.left = 0;
  }
  while (thread_loop.left != 0) {
    start_thread(thread_loop.start());
    finish_thread(*thread);
  }
}

void Worker::finish_thread(Thread& ended_thread) {
  ended_thread.ended = true;
  block->warp_ended[ended_thread.warp()] |= lane_bit(ended_thread.lane());
  ++block->ended;
  block->idle_rounds = 0;
  if (checker != nullptr) checker->end_thread();
  if (block->waiting_in_warps != 0) complete_meetings_without(*block, ended_thread);
}

/// Runs fibers of the block until one has to leave to the scheduler.
void Worker::resume(Fiber* next) {
  enter(next, scheduler_);
  switch_context(scheduler_, next->context);
  if (thread_loop.state != ThreadState::seen) catch_up();  // a thread of a loop or a round failed
  Fiber* const last = fiber;
  const bool overflowed = FiberPool::overflowed(*last);
  if (last->thread != nullptr) thread = last->thread;
  if (signal_ != 0) explain_signal();
  if (overflowed && !failed_) {
    failed_ = true;
    fault_ = KernelFault{FaultKind::stack_overflow,
                         running() + ": the stack overflowed: a recursion or a local array is too large"};
  }
  if (failed_) return;
  fiber = nullptr;
  if (last->thread == nullptr) {
    fibers.give(last);
  } else if (thread->ended) {
    fibers.reset(last, &Worker::fiber_entry);
  }
}

void Worker::wait(Wait how) {
  Fiber* const own = fiber;
  current_state.own_code = true;
  thread->wait = how;
  if (how != Wait::block_barrier) block->only_barriers = false;
  switch (how) {
    case Wait::block_barrier:
      block->at_barrier.push_back(own);
      break;
    case Wait::grid_barrier:
      block->at_grid_barrier.push_back(own);
      break;
    case Wait::yield:
      if (watchdog::wants_sample_at_wait.load(std::memory_order_relaxed)) watchdog::take_sample_at_wait();
      block->yielded.push_back(own);
      break;
    case Wait::warp:
    case Wait::convergence:
    case Wait::room_in_log:
      ++block->waiting_in_warps;
      block->warp_waiting[thread->warp()] |= lane_bit(thread->lane());
      break;
    case Wait::nothing:
      break;
  }
  if (checker != nullptr) checker->flush_pending();
  switch_from(own, next_fiber());
  current_state.own_code = false;
}

void Worker::leave_fiber() {
  Context abandoned;
  switch_context(abandoned, scheduler_);
  __builtin_unreachable();
}

void Worker::stop_thread() {
  if (thread_loop.state != ThreadState::seen) catch_up();
  thread->stopped = true;
  block->reported = true;
  finish_thread(*thread);
  leave_fiber();
}

void Worker::fail(FaultKind kind, std::string what) {
  current_state.own_code = true;
  if (thread_loop.state != ThreadState::seen) catch_up();
  failed_ = true;
  fault_ = KernelFault{kind, running() + ": " + what};
  std::string().swap(what);  // the caller's frame is abandoned
  if (fiber != nullptr) leave_fiber();
  throw kind;  // in the scheduler; run() catches it
}

}  // namespace d2l::emulator
