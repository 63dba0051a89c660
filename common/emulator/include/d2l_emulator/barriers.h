// SPDX-License-Identifier: MIT
// Barriers of a block, memory fences, and what ends a kernel.
#pragma once

#include "d2l_emulator/language.h"
#include "d2l_emulator/thread_loop.h"

#if defined(__SANITIZE_ADDRESS__)
#define D2L_EMULATOR_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define D2L_EMULATOR_UNDER_ASAN 1
#endif
#endif
#if !defined(D2L_EMULATOR_CALLED_BY_THREAD) && !defined(D2L_EMULATOR_UNDER_ASAN)
#define D2L_EMULATOR_HAS_ROUNDS 1
#endif

namespace d2l::emulator {

/// A thread of a round.
struct WaitingThread {
  void* stack_pointer = nullptr;  ///< where its registers are
  Place place{"", 0};             ///< of the barrier to which it came in this round
  uint3 index{};
};

/// Threads of a block that go on one after the other from a barrier to the next one. A thread that comes to it switches
/// to the next one right there, so that no function returns into another one than called it: the processor would
/// predict that wrongly. The threads of a round are neighbours in memory, in both directions. Without a round both
/// pointers are equal.
struct BarrierRound {
  WaitingThread* running;
  WaitingThread* last;
  long step;  ///< from a thread to the next one: 1 or -1
};
extern __thread BarrierRound barrier_round asm("d2l_emulator_barrier_round") __attribute__((tls_model("initial-exec")));

#ifdef D2L_EMULATOR_HAS_ROUNDS
extern "C" void d2l_emulator_switch(void** save, void* load);

/// Waits at a barrier if another thread of a round can run; else returns false.
[[gnu::always_inline]] inline bool wait_in_round(Place place) {
  BarrierRound& round = barrier_round;
  WaitingThread* const own = round.running;
  if (own == round.last) return false;
  WaitingThread* const next = own + round.step;
  own->place = place;
  round.running = next;
  const_cast<ThreadIndex&>(threadIdx).set(next->index);
  const WaitingThread& later = next[2 * round.step];
  __builtin_prefetch(later.stack_pointer);
  __builtin_prefetch(static_cast<const char*>(later.stack_pointer) + 64);
  d2l_emulator_switch(&own->stack_pointer, next->stack_pointer);
  return true;
}
#endif

}  // namespace d2l::emulator

namespace d2l::emulator {

/// __syncthreads(), where no round can go on.
void wait_at_barrier(Place place) asm("d2l_emulator_wait_at_barrier");

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
#ifdef D2L_EMULATOR_HAS_ROUNDS
__forceinline__ void __syncthreads(d2l::emulator::Place place = d2l::emulator::Place::here()) {
  if (!d2l::emulator::wait_in_round(place)) d2l::emulator::wait_at_barrier(place);
}
#else
void __syncthreads(d2l::emulator::Place place = d2l::emulator::Place::here()) asm("d2l_emulator_wait_at_barrier");
#endif
int __syncthreads_count(int predicate, d2l::emulator::Place place = d2l::emulator::Place::here());
int __syncthreads_and(int predicate, d2l::emulator::Place place = d2l::emulator::Place::here());
int __syncthreads_or(int predicate, d2l::emulator::Place place = d2l::emulator::Place::here());

void __threadfence();
void __threadfence_block();
void __threadfence_system();

[[noreturn]] void __trap();
void __brkpt();
void __nanosleep(unsigned int nanoseconds);
long long clock64();
unsigned long long __globaltimer();
// NOLINTEND

namespace d2l::emulator {

/// Waits for all threads of the grid.
void grid_barrier(Place place);
bool grid_is_cooperative();

}  // namespace d2l::emulator
