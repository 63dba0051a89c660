// SPDX-License-Identifier: MIT
// Atomic functions: atomic for the whole process, since other streams and the host may use the same memory.
#include "d2l_emulator/atomics.h"

#include <atomic>
#include <cstdint>

#include "checks/access.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {
namespace {

/// A spinning thread must let others run: every so many atomics it yields.
constexpr unsigned atomics_between_yields = 64;

/// The atomics of a thread that runs ahead in a loop, or in a round.
struct AtomicsAhead {
  unsigned number;
  unsigned atomics;
};
__thread AtomicsAhead atomics_ahead;

unsigned& atomics_of_running(Worker& worker) {
  if (thread_loop.state == ThreadState::seen) return worker.thread->atomics;
  const unsigned number = running_number();
  if (atomics_ahead.number != number) atomics_ahead = {number, 0};
  return atomics_ahead.atomics;
}

template <class T>
void before(T* address, AccessKind kind, const void* caller) {
  if (current_state.instrumented) access_memory(address, sizeof(T), kind, caller);
  Worker* const worker = current_state.worker;
  if (worker == nullptr) return;
  ++worker->counts.atomics;
  if (worker->is_shared(address)) ++worker->counts.shared_atomics;
}

/// `failed`: a lock was not free, or an exchange changed nothing.
void after(bool failed) {
  Worker* const worker = current_state.worker;
  if (worker == nullptr) return;
  if (failed || ++atomics_of_running(*worker) % atomics_between_yields == 0) running_worker()->yield();
}

template <class T, class Function>
T update(T* address, Function function) {
  std::atomic_ref<T> memory(*address);
  T old = memory.load(std::memory_order_relaxed);
  while (!memory.compare_exchange_weak(old, function(old))) {
  }
  return old;
}

namespace functions {

template <class T>
T atomicAdd(T old, T value) {
  return static_cast<T>(old + value);
}
template <class T>
T atomicSub(T old, T value) {
  return static_cast<T>(old - value);
}
template <class T>
T atomicExch(T, T value) {
  return value;
}
template <class T>
T atomicMin(T old, T value) {
  return value < old ? value : old;
}
template <class T>
T atomicMax(T old, T value) {
  return old < value ? value : old;
}
template <class T>
T atomicInc(T old, T value) {
  return old >= value ? T{0} : static_cast<T>(old + 1);
}
template <class T>
T atomicDec(T old, T value) {
  return old == 0 || old > value ? value : static_cast<T>(old - 1);
}
template <class T>
T atomicAnd(T old, T value) {
  return old & value;
}
template <class T>
T atomicOr(T old, T value) {
  return old | value;
}
template <class T>
T atomicXor(T old, T value) {
  return old ^ value;
}

}  // namespace functions

template <class T, T (*Function)(T, T), AccessKind Kind, bool Exchanges>
T apply(T* address, T value, const void* caller) {
  before(address, Kind, caller);
  const T old = update(address, [value](T now) { return Function(now, value); });
  after(Exchanges && old == value);
  return old;
}

template <class T>
T compare_and_swap(T* address, T expected, T value, const void* caller) {
  before(address, AccessKind::atomic_guess, caller);
  std::atomic_ref<T> memory(*address);
  T old = expected;
  after(!memory.compare_exchange_strong(old, value));
  return old;
}

constexpr bool is_exchange(const char* name) { return name[6] == 'E'; }
constexpr AccessKind kind_of(const char* name) {  // of atomicMin and atomicMax, or of others
  return name[6] == 'M' ? AccessKind::atomic_guess : AccessKind::atomic;
}

}  // namespace
}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
#define D2L_ATOMIC_FUNCTION(NAME, FUNCTION, TYPE)                                                                    \
  TYPE NAME(TYPE* address, TYPE value) {                                                                             \
    return d2l::emulator::apply<TYPE, d2l::emulator::functions::FUNCTION<TYPE>, d2l::emulator::kind_of(#FUNCTION),   \
                                d2l::emulator::is_exchange(#FUNCTION)>(address, value, __builtin_return_address(0)); \
  }
#define D2L_ATOMIC(NAME, TYPE)                  \
  D2L_ATOMIC_FUNCTION(NAME, NAME, TYPE)         \
  D2L_ATOMIC_FUNCTION(NAME##_block, NAME, TYPE) \
  D2L_ATOMIC_FUNCTION(NAME##_system, NAME, TYPE)
#define D2L_ATOMIC_CAS_FUNCTION(NAME, TYPE)                                                        \
  TYPE NAME(TYPE* address, TYPE expected, TYPE value) {                                            \
    return d2l::emulator::compare_and_swap(address, expected, value, __builtin_return_address(0)); \
  }
#define D2L_ATOMIC_CAS(TYPE)                     \
  D2L_ATOMIC_CAS_FUNCTION(atomicCAS, TYPE)       \
  D2L_ATOMIC_CAS_FUNCTION(atomicCAS_block, TYPE) \
  D2L_ATOMIC_CAS_FUNCTION(atomicCAS_system, TYPE)
#include "d2l_emulator/atomic_functions.def"
// NOLINTEND
