// SPDX-License-Identifier: MIT
// The barriers, fences and ends of a kernel that its code calls, and the rounds of threads between barriers.
#include "d2l_emulator/barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "checks/checker.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {
namespace {

/// Waits for the block; the number of threads with a predicate that is not 0.
int block_barrier(bool predicate, Place place, bool* all = nullptr) {
  Worker* const worker = running_worker();
  if (worker == nullptr) return 0;
  worker->thread->place = place;
  if (predicate) ++worker->block->barrier_sum;
  worker->wait(Wait::block_barrier);
  if (all != nullptr) *all = worker->block->barrier_all;
  return worker->block->barrier_count;
}

void fence() {
  if (current_state.worker != nullptr && current_state.worker->checker != nullptr) running_worker()->checker->fence();
}

long long nanoseconds() {
  if (current_state.worker != nullptr) current_state.worker->note_clock();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void yield() {
  Worker* const worker = running_worker();
  if (worker != nullptr) worker->yield();
}

}  // namespace

#ifdef D2L_FIBERS_IN_ROUNDS
namespace {

constexpr std::size_t unused = 3;  // at each end of a round: a switch loads the address of a later thread's stack

}  // namespace

/// The threads at the barrier go on in a round, unless they are few or waited otherwise before.
bool Worker::begin_round(Block& of) {
  const std::size_t count = of.at_barrier.size();
  if (!launch->loops || !of.only_barriers || count < 2) return false;
  if (!std::ranges::all_of(of.at_barrier, [](const Fiber* each) { return each->guarded; })) return false;
  round_.resize(std::max(round_.size(), count + 2 * unused));
  round_fibers_.assign(of.at_barrier.begin(), of.at_barrier.end());
  WaitingThread* entry = round_.data() + unused;
  for (const Fiber* each : round_fibers_) {
    entry->stack_pointer = each->context.stack_pointer;
    entry->index = each->index;
    ++entry;
  }
  of.at_barrier.clear();
  of.ready.push_back(round_fibers_.front());
  barrier_round = {round_.data() + unused, entry - 1, 1};
  thread_loop.state = ThreadState::in_round;
  return true;
}

bool Worker::go_on_in_round(Place place) {
  BarrierRound& round = barrier_round;
  Block& of = *block;
  if (round_fibers_.size() + of.ended != block_threads) return false;
  ++counts.barriers;
  of.idle_rounds = 0;
  of.barrier_count = 0;
  of.barrier_all = false;
  const bool backwards = launch->seed != 0 && of.phase % 2 == 1;
  ++of.phase;
  of.phase_epoch = 0;
  WaitingThread* const own = round.running;
  own->place = place;
  WaitingThread* const first = own - round.step * static_cast<long>(round_fibers_.size() - 1);
  if (backwards) {
    round.last = first;
    round.step = -round.step;
    return true;
  }
  round.running = first;
  current_thread_index.set(first->index);
  d2l_emulator_switch(&own->stack_pointer, first->stack_pointer);
  return true;
}

/// The scheduler goes on with the threads of the round, which are behind, at and before the running one.
void Worker::leave_round() {
  const BarrierRound round = barrier_round;
  Block& of = *block;
  const auto behind = [&](const WaitingThread* one) { return (one - round.running) * round.step < 0; };
  WaitingThread* one = round.last - round.step * static_cast<long>(round_fibers_.size() - 1);
  for (std::size_t i = 0; i < round_fibers_.size(); ++i, one += round.step) {
    Fiber* const of_one = round_fibers_[static_cast<std::size_t>(one - round_.data()) - unused];
    if (one == round.running) {
      fiber = of_one;
      continue;
    }
    of_one->context.stack_pointer = one->stack_pointer;
    if (behind(one)) {
      of_one->thread->place = one->place;
      of.at_barrier.push_back(of_one);
    } else {
      of.ready.push_back(of_one);
    }
  }
  thread = fiber->thread;
  thread->wait = Wait::nothing;
  current_state.stack_low = reinterpret_cast<std::uintptr_t>(fiber->low);
  thread_loop.state = ThreadState::seen;
  barrier_round = {};
}
#else
bool Worker::begin_round(Block&) { return false; }
bool Worker::go_on_in_round(Place) { return false; }
void Worker::leave_round() {}
#endif

void wait_at_barrier(Place place) {
  Worker* const worker = current_state.worker;
  if (worker != nullptr && thread_loop.state == ThreadState::in_round && worker->go_on_in_round(place)) return;
  block_barrier(false, place);
}

void grid_barrier(Place place) {
  Worker* const worker = running_worker();
  if (worker == nullptr) return;
  worker->thread->place = place;
  if (!worker->launch->cooperative) {
    fail_kernel("grid.sync() in an ordinary launch: use cudaLaunchCooperativeKernel", place);
  }
  worker->wait(Wait::grid_barrier);
}
bool grid_is_cooperative() {
  const Worker* const worker = current_state.worker;
  return worker != nullptr && worker->launch->cooperative;
}

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
int __syncthreads_count(int predicate, d2l::emulator::Place place) {
  return d2l::emulator::block_barrier(predicate != 0, place);
}
int __syncthreads_and(int predicate, d2l::emulator::Place place) {
  bool all = false;
  d2l::emulator::block_barrier(predicate != 0, place, &all);
  return all ? 1 : 0;
}
int __syncthreads_or(int predicate, d2l::emulator::Place place) {
  return d2l::emulator::block_barrier(predicate != 0, place) != 0 ? 1 : 0;
}

void __threadfence() { d2l::emulator::fence(); }
void __threadfence_block() { d2l::emulator::fence(); }
void __threadfence_system() { d2l::emulator::fence(); }

void __trap() {
  d2l::emulator::Worker* const worker = d2l::emulator::running_worker();
  if (worker == nullptr) std::abort();
  const d2l::emulator::OwnCode own;
  worker->fail(d2l::emulator::FaultKind::trap, "__trap() was called");
}
void __brkpt() {}
void __nanosleep(unsigned int) { d2l::emulator::yield(); }
long long clock64() {
  d2l::emulator::yield();
  return d2l::emulator::nanoseconds();
}
extern "C" std::clock_t d2l_emulator_clock() {  // d2l_emulator/c_library.h has the name
  return d2l::emulator::running_worker() == nullptr ? std::clock() : clock64();
}
unsigned long long __globaltimer() {
  d2l::emulator::yield();
  return static_cast<unsigned long long>(d2l::emulator::nanoseconds());
}
// NOLINTEND
