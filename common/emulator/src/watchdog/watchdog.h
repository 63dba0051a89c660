// SPDX-License-Identifier: MIT
// The watchdog: names a kernel that makes no progress for a long time, and the loop in which it stays.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "watchdog/repeated_state.h"

namespace d2l::emulator {
class BlockSource;
}

namespace d2l::emulator::watchdog {

/// The time without progress after which something is suspected: D2L_WATCHDOG_SECONDS, else a minute; 0: never.
std::chrono::seconds patience();

/// While it is in scope, the watchdog looks at the kernel that this thread runs.
class WatchedKernel {
 public:
  WatchedKernel(const KernelLaunch& launch, BlockSource& blocks);
  ~WatchedKernel();
  WatchedKernel(const WatchedKernel&) = delete;
  WatchedKernel& operator=(const WatchedKernel&) = delete;
};

/// Decides at moments when all threads of a suspected kernel wait whether it can ever end.
class Verdict {
 public:
  /// True if it cannot: it repeats its state while no other thread of the process can change its memory.
  bool never_ends(const Worker& worker, const Block* const* blocks, std::size_t count, std::uint64_t suspicion);

 private:
  RepeatedState state_;
  std::uint64_t suspicion_ = 0;  ///< the number of that which it looks into
  std::chrono::steady_clock::time_point end_;
  bool were_blocked_ = false;  ///< the other threads, when it last repeated its state
};

}  // namespace d2l::emulator::watchdog
