// SPDX-License-Identifier: MIT
// Barriers of a block, memory fences, and what ends a kernel.
#pragma once

#include "d2l_emulator/language.h"

// NOLINTBEGIN: the names are CUDA's.
void __syncthreads(d2l::emulator::Place place = d2l::emulator::Place::here());
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
