// SPDX-License-Identifier: MIT
// The functions that code compiled with -fsanitize=thread calls, in place of the thread sanitizer's.
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "checks/access.h"
#include "checks/checker.h"
#include "counts/request_counter.h"
#include "d2l_emulator/device_math.h"
#include "execution/current.h"
#include "execution/worker.h"
#include "fibers/context_switch.h"
#include "order/host_watch.h"

namespace d2l::emulator {

bool instrument_accesses(bool wanted);  // for Thrust's algorithms

namespace {

bool is_local(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - current_state.stack_low <
         FiberPool::stack_bytes - FiberPool::guard_bytes;
}

inline __attribute__((always_inline)) void hook(const void* address, std::size_t bytes, AccessKind kind,
                                                const void* caller) {
  // In the emulator's own code a function of the standard library may be the program's, which is instrumented.
  if (!current_state.instrumented) {
    if (host_is_watched.load(std::memory_order_relaxed)) watch_host_access(address, bytes, kind, caller);
    return;
  }
  if (current_state.own_code || bytes == 0 || is_local(address)) return;
  access_memory(address, bytes, kind, caller);
}

}  // namespace

void access_memory(const void* address, std::size_t bytes, AccessKind kind, const void* caller) {
  Worker& worker = *running_worker();
  if (worker.fiber == nullptr || is_local(address)) return;
  // No object of this library may be on the stack that a thread abandons. And functions of the standard library that
  // are called here may be those of the program's file, which call the hooks.
  current_state.instrumented = false;
  Region* const region = worker.regions->find(address);
  const bool right = worker.checker == nullptr ||
                     worker.checker->access(region, static_cast<const std::byte*>(address), bytes, kind, caller);
  current_state.instrumented = true;  // the counter may let other threads run
  if (!right) worker.stop_thread();
  if (worker.counter != nullptr) worker.counter->access(region, address, bytes, kind, caller);
}

bool instrument_accesses(bool wanted) { return std::exchange(current_state.instrumented, wanted); }

void copy_by_function(void* to, const void* from, std::size_t bytes, const void* caller, unsigned rank,
                      unsigned threads) {
  const auto bits = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes | 16;
  const std::size_t part = std::size_t{1} << std::countr_zero(bits);
  for (std::size_t at = rank * part; at < bytes; at += threads * part) {
    hook(static_cast<const char*>(from) + at, part, AccessKind::read_bytes, caller);
    hook(static_cast<char*>(to) + at, part, AccessKind::write_bytes, caller);
    std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, part);
  }
}

void copy_async(void* to, const void* from, std::size_t bytes, std::size_t zeros, const void* caller) {
  hook(from, bytes, AccessKind::read, caller);
  hook(to, bytes + zeros, AccessKind::write, caller);
  std::memcpy(to, from, bytes);
  std::memset(static_cast<char*>(to) + bytes, 0, zeros);
}

void access_by_function(const void* address, unsigned bytes, bool write, const void* caller) {
  hook(address, bytes, write ? AccessKind::write : AccessKind::read, caller);
}

}  // namespace d2l::emulator

// Under the thread sanitizer its own functions are called: it checks the emulator and the programs.
#ifndef D2L_FIBERS_UNDER_TSAN

namespace d2l::emulator {
namespace {

// Clang copies a float4 by memcpy, so that its alignment is checked there; GCC does not.
#ifdef __clang__
constexpr AccessKind read_by_copy = AccessKind::read, written_by_copy = AccessKind::write;
#else
constexpr AccessKind read_by_copy = AccessKind::read_bytes, written_by_copy = AccessKind::write_bytes;
#endif
constexpr std::size_t red_zone = 2048;  // of a stack: a function that is entered there has too little left

/// The host has loaded a value atomically: a function of the host in a stream may have stored it after the hook.
inline void acquired(const void* address, std::size_t bytes, const void* caller) {
  if (current_state.instrumented || !host_is_watched.load(std::memory_order_relaxed)) return;
  watch_host_access(address, bytes, AccessKind::volatile_read, caller);
}

/// Older programs rely on the lockstep of a warp between accesses to volatile shared variables: the lanes that run
/// meet before each access. A loop that reads another volatile variable waits for another thread.
void volatile_access(const void* address, bool read, const void* caller) {
  Worker* const worker = current_state.worker;
  if (worker == nullptr || worker->fiber == nullptr || is_local(address)) return;
  if (worker->is_shared(address)) {
    worker->thread->place = {"", static_cast<int>(reinterpret_cast<std::uintptr_t>(caller) & 0x7FFFFFFFU)};
    worker->wait(Wait::convergence);
  } else if (read && ++worker->thread->atomics % 8 == 0) {
    worker->yield();
  }
}

inline __attribute__((always_inline)) void volatile_hook(const void* address, std::size_t bytes, AccessKind kind,
                                                         const void* caller) {
  volatile_access(address, kind == AccessKind::volatile_read, caller);
  hook(address, bytes, kind, caller);
}

/// Null unless a thread of a kernel runs whose launch is counted.
inline __attribute__((always_inline)) RequestCounter* running_counter() {
  if (!current_state.instrumented || current_state.own_code) return nullptr;
  const Worker& worker = *current_state.worker;
  return worker.fiber == nullptr ? nullptr : worker.counter;
}

}  // namespace
}  // namespace d2l::emulator

// NOLINTBEGIN: the names are the compiler's.
using d2l::emulator::AccessKind;
using d2l::emulator::acquired;
using d2l::emulator::hook;
using d2l::emulator::read_by_copy;
using d2l::emulator::RequestCounter;
using d2l::emulator::running_counter;
using d2l::emulator::volatile_hook;
using d2l::emulator::written_by_copy;

extern "C" {
#define D2L_HOOK(NAME, BYTES, KIND) \
  void __tsan_##NAME(void* address) { hook(address, BYTES, AccessKind::KIND, __builtin_return_address(0)); }
#define D2L_VOLATILE_HOOK(NAME, BYTES, KIND) \
  void __tsan_##NAME(void* address) { volatile_hook(address, BYTES, AccessKind::KIND, __builtin_return_address(0)); }
#define D2L_HOOKS(BYTES)                                                    \
  D2L_HOOK(read##BYTES, BYTES, read)                                        \
  D2L_HOOK(write##BYTES, BYTES, write)                                      \
  D2L_VOLATILE_HOOK(volatile_read##BYTES, BYTES, volatile_read)             \
  D2L_VOLATILE_HOOK(volatile_write##BYTES, BYTES, volatile_write)           \
  D2L_HOOK(unaligned_read##BYTES, BYTES, read_parts)                        \
  D2L_HOOK(unaligned_write##BYTES, BYTES, write_parts)                      \
  D2L_VOLATILE_HOOK(unaligned_volatile_read##BYTES, BYTES, volatile_read)   \
  D2L_VOLATILE_HOOK(unaligned_volatile_write##BYTES, BYTES, volatile_write) \
  D2L_HOOK(read_write##BYTES, BYTES, write)                                 \
  D2L_HOOK(unaligned_read_write##BYTES, BYTES, write_parts)
D2L_HOOKS(1)
D2L_HOOKS(2)
D2L_HOOKS(4)
D2L_HOOKS(8)
D2L_HOOKS(16)
#undef D2L_HOOKS
#undef D2L_HOOK
#undef D2L_VOLATILE_HOOK

void __tsan_read_range(void* address, unsigned long bytes) {
  hook(address, bytes, AccessKind::read_parts, __builtin_return_address(0));
}
void __tsan_write_range(void* address, unsigned long bytes) {
  hook(address, bytes, AccessKind::write_parts, __builtin_return_address(0));
}
void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
  hook(from, bytes, read_by_copy, __builtin_return_address(0));
  hook(to, bytes, written_by_copy, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, unsigned long bytes) {
  hook(from, bytes, read_by_copy, __builtin_return_address(0));
  hook(to, bytes, written_by_copy, __builtin_return_address(0));
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, unsigned long bytes) {
  hook(to, bytes, written_by_copy, __builtin_return_address(0));
  return std::memset(to, value, bytes);
}
void __tsan_vptr_update(void** address, void*) {
  hook(address, sizeof *address, AccessKind::write, __builtin_return_address(0));
}
void __tsan_vptr_read(void** address) { hook(address, sizeof *address, AccessKind::read, __builtin_return_address(0)); }
void __tsan_init() {}
void __tsan_func_entry(void*) {
  if (!d2l::emulator::current_state.instrumented) return;
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  d2l::emulator::Worker* const worker = d2l::emulator::current_state.worker;
  if (worker->fiber != nullptr && frame - d2l::emulator::current_state.stack_low < d2l::emulator::red_zone) {
    d2l::emulator::current_state.own_code = true;  // before the text is allocated: there is little stack left
    worker->fail(d2l::emulator::FaultKind::stack_overflow, "the stack overflowed: a recursion is too deep\n");
  }
  if (RequestCounter* const counter = running_counter(); counter != nullptr)
    counter->enter(__builtin_return_address(0));
}
void __tsan_func_exit() {
  if (RequestCounter* const counter = running_counter(); counter != nullptr) counter->leave();
}
// Called at the begin of each basic block.
void __sanitizer_cov_trace_pc() {
  if (RequestCounter* const counter = running_counter(); counter != nullptr)
    counter->block(__builtin_return_address(0));
}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

#define D2L_FETCH(BITS, TYPE, NAME)                                                              \
  TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE* address, TYPE value, int) {             \
    hook(const_cast<TYPE*>(address), BITS / 8, AccessKind::atomic, __builtin_return_address(0)); \
    return __atomic_fetch_##NAME(address, value, __ATOMIC_SEQ_CST);                              \
  }
#define D2L_ATOMICS(BITS, TYPE)                                                                                     \
  TYPE __tsan_atomic##BITS##_load(const volatile TYPE* address, int) {                                              \
    volatile_hook(const_cast<TYPE*>(address), BITS / 8, AccessKind::volatile_read, __builtin_return_address(0));    \
    const TYPE value = __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                  \
    acquired(const_cast<TYPE*>(address), BITS / 8, __builtin_return_address(0));                                    \
    return value;                                                                                                   \
  }                                                                                                                 \
  void __tsan_atomic##BITS##_store(volatile TYPE* address, TYPE value, int) {                                       \
    hook(const_cast<TYPE*>(address), BITS / 8, AccessKind::volatile_write, __builtin_return_address(0));            \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                             \
  }                                                                                                                 \
  TYPE __tsan_atomic##BITS##_exchange(volatile TYPE* address, TYPE value, int) {                                    \
    hook(const_cast<TYPE*>(address), BITS / 8, AccessKind::atomic, __builtin_return_address(0));                    \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                                 \
  D2L_FETCH(BITS, TYPE, add)                                                                                        \
  D2L_FETCH(BITS, TYPE, sub)                                                                                        \
  D2L_FETCH(BITS, TYPE, and)                                                                                        \
  D2L_FETCH(BITS, TYPE, or)                                                                                         \
  D2L_FETCH(BITS, TYPE, xor)                                                                                        \
  D2L_FETCH(BITS, TYPE, nand)                                                                                       \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile TYPE* address, TYPE* expected, TYPE value, int, int) { \
    hook(const_cast<TYPE*>(address), BITS / 8, AccessKind::atomic_guess, __builtin_return_address(0));              \
    return __atomic_compare_exchange_n(address, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
  }                                                                                                                 \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile TYPE* address, TYPE* expected, TYPE value, int order,    \
                                                  int failure) {                                                    \
    return __tsan_atomic##BITS##_compare_exchange_strong(address, expected, value, order, failure);                 \
  }                                                                                                                 \
  TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE* address, TYPE expected, TYPE value, int order,     \
                                                  int failure) {                                                    \
    __tsan_atomic##BITS##_compare_exchange_strong(address, &expected, value, order, failure);                       \
    return expected;                                                                                                \
  }
D2L_ATOMICS(8, std::uint8_t)
D2L_ATOMICS(16, std::uint16_t)
D2L_ATOMICS(32, std::uint32_t)
D2L_ATOMICS(64, std::uint64_t)
#undef D2L_ATOMICS
#undef D2L_FETCH
void __tsan_atomic_thread_fence(int) { std::atomic_thread_fence(std::memory_order_seq_cst); }
void __tsan_atomic_signal_fence(int) {}
}
// NOLINTEND

#endif
