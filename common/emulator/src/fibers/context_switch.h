// SPDX-License-Identifier: MIT
// Context: where a fiber goes on, and the switch from one to another, which takes less than half of the time of
// Boost.Context's.
#pragma once

#include <cstddef>

// Other processors, and the test of this way, switch by the C library, which takes two system calls.
#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(D2L_FIBERS_BY_UCONTEXT)
#define D2L_FIBERS_BY_UCONTEXT 1
#endif
#ifdef D2L_FIBERS_BY_UCONTEXT
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define D2L_FIBERS_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define D2L_FIBERS_UNDER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define D2L_FIBERS_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define D2L_FIBERS_UNDER_TSAN 1
#endif
#endif

#if !defined(D2L_FIBERS_BY_UCONTEXT) && !defined(D2L_FIBERS_UNDER_ASAN) && !defined(D2L_FIBERS_UNDER_TSAN)
#define D2L_FIBERS_IN_ROUNDS 1
#endif

namespace d2l::emulator {

/// The saved registers of a fiber, or of the scheduler, and what the sanitizers must know about its stack.
struct Context {
#ifdef D2L_FIBERS_BY_UCONTEXT
  ucontext_t registers{};
#else
  void* stack_pointer = nullptr;
#endif
  const void* stack_low = nullptr;
  std::size_t stack_bytes = 0;
  void* fake_stack = nullptr;  ///< of the address sanitizer
  void* tsan_fiber = nullptr;  ///< of the thread sanitizer
};

/// Prepares a context that calls `entry`, which never returns, on the given stack.
void prepare_context(Context& context, std::byte* stack_low, std::size_t stack_bytes, std::size_t offset,
                     void (*entry)());
void release_context(Context& context) noexcept;

/// Saves the current registers in `from` and goes on with `to`.
void switch_context(Context& from, Context& to);
/// To be called first in a fiber's entry.
void entered_context(Context& own, Context& from);

}  // namespace d2l::emulator
