// SPDX-License-Identifier: MIT
// Rounds: the threads of a block go on from a barrier to the next one without the scheduler. See BarrierRound.
#include <algorithm>

#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {

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

}  // namespace d2l::emulator
