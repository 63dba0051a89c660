// SPDX-License-Identifier: MIT
// Barriers of a block, memory fences, and what ends a kernel.
#pragma once

#include "d2l_emulator/barrier_round.h"
#include "d2l_emulator/language.h"

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
