// SPDX-License-Identifier: MIT
// ThreadLoop: what a kernel that is compiled as a loop over the threads of a block shares with the scheduler.
#pragma once

#include "d2l_emulator/indices.h"

namespace d2l::emulator {

/// What the scheduler knows of the thread that runs.
enum class ThreadState : unsigned char {
  seen,
  ahead,    ///< it runs in a loop, and has not waited
  in_round  ///< one of a BarrierRound runs
};

/// The threads of a block that have not started, in their order. While threads run ahead, `next` and `left` are what
/// they were when the scheduler last saw a thread: threadIdx tells which one runs.
struct ThreadLoop {
  unsigned next;
  unsigned left;
  unsigned step;         ///< from one thread to the next, modulo the threads of the block
  unsigned wrap;         ///< from this number on, the next one is smaller by it
  const uint3* indices;  ///< by the thread's number; null for a block with one dimension
  ThreadState state;

  [[nodiscard]] unsigned after(unsigned one) const noexcept { return one >= wrap ? one - wrap : one + step; }
  /// The number of the next thread, which starts.
  unsigned start() noexcept {
    const unsigned started = next;
    next = after(started);
    --left;
    return started;
  }
};
extern __thread ThreadLoop thread_loop asm("d2l_emulator_thread_loop") __attribute__((tls_model("initial-exec")));

/// To be called when a thread ends that the scheduler has seen, for example because it waited.
void end_seen_thread() noexcept;

#ifndef D2L_EMULATOR_CALLED_BY_THREAD
/// Calls `body` once for each thread that has not started. If one waits, others go on in a loop of their own. The
/// compiler makes one loop of this and a kernel that it inlines.
template <class Body>
inline void for_each_thread(const Body& body) {
  ThreadLoop& loop = thread_loop;
  auto& index = const_cast<ThreadIndex&>(threadIdx);
  const uint3* const indices = loop.indices;
  const unsigned step = loop.step;
  const unsigned wrap = loop.wrap;
  unsigned next = loop.next;
  unsigned left = loop.left;
  if (left == 0) return;
  do {
    index.x = next;
    if (__builtin_expect(indices != nullptr, 0)) index.set(indices[next]);
    asm volatile("" : "+m"(index));  // a fault of what uses the index finds the thread
    if (__builtin_expect(next < wrap, 1)) {
      next += step;
    } else {
      next -= wrap;
      asm volatile("");  // keeps the branch, which is predicted: a conditional move would wait for the comparison
    }
    --left;
    body();
    if (__builtin_expect(loop.state != ThreadState::ahead, 0)) {
      end_seen_thread();
      next = loop.next;
      left = loop.left;
    }
  } while (left != 0);
}
#endif

}  // namespace d2l::emulator
