// SPDX-License-Identifier: MIT
// ThreadLoop: what a kernel that is compiled as a loop over the threads of a block shares with the scheduler.
#pragma once

#include "d2l_emulator/indices.h"

namespace d2l::emulator {

/// The threads of a block that have not started, in their order. While the loop runs ahead, `next` and `left` are what
/// they were when the scheduler last saw a thread.
struct ThreadLoop {
  unsigned number;  ///< of the thread that runs
  unsigned next;
  unsigned left;
  unsigned step;         ///< from one thread to the next, modulo the threads of the block
  unsigned wrap;         ///< from this number on, the next one is smaller by it
  const uint3* indices;  ///< by number; null for a block with one dimension
  bool ahead;            ///< the scheduler has not seen the thread that runs

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
  while (left != 0) {
    loop.number = next;
    unsigned number = next;
    asm volatile("" : "+r"(number) : "m"(loop.number));  // a fault of what uses the index finds the number
    if (indices == nullptr) {
      index.x = number;
    } else {
      index.set(indices[number]);
    }
    next = next >= wrap ? next - wrap : next + step;
    --left;
    body();
    if (!loop.ahead) [[unlikely]] {
      end_seen_thread();
      next = loop.next;
      left = loop.left;
    }
  }
}
#endif

}  // namespace d2l::emulator
