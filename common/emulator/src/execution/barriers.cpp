// SPDX-License-Identifier: MIT
// The barriers, fences and ends of a kernel that its code calls.
#include "d2l_emulator/barriers.h"

#include <fmt/format.h>

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
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void yield() {
  Worker* const worker = running_worker();
  if (worker != nullptr) worker->yield();
}

}  // namespace

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
