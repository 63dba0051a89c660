// SPDX-License-Identifier: MIT
// Fibers: stacks on which the threads of a block run, kept and used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "execution/context_switch.h"

namespace d2l::emulator {

struct Thread;

/// A stack with a context; `thread` is the kernel's thread that runs or waits on it.
struct Fiber {
  Context context;
  std::byte* low = nullptr;  ///< the lowest byte that the fiber may use
  std::size_t colour = 0;    ///< where the first frame begins, so that frames do not share cache sets
  Thread* thread = nullptr;
  bool guarded = false;  ///< a page below the stack faults
};

/// The fibers of one worker thread.
class FiberPool {
 public:
  /// The memory of a fiber: the guard, which faults, and above it the stack. Both are whole pages on every machine: a
  /// page has 4 to 64 KiB. On ARM, compilers touch a large frame every 64 KiB only, so that a smaller guard would be
  /// missed.
  static constexpr std::size_t stack_bytes = std::size_t{192} << 10;
  static constexpr std::size_t guard_bytes = std::size_t{64} << 10;

  FiberPool() = default;
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber that will call `entry`, or that waits in it for the next thread.
  Fiber* take(void (*entry)());
  void give(Fiber* fiber) { idle_.push_back(fiber); }
  /// Gives a fiber back whose frames are abandoned.
  void reset(Fiber* fiber, void (*entry)());
  /// True if the address is in the unused end of a stack: the stack has overflowed.
  [[nodiscard]] bool is_guard(const void* address) const noexcept;
  /// The fiber whose stack contains the address; null if there is none.
  [[nodiscard]] const Fiber* owner(const void* address) const noexcept;
  /// True if the fiber has written below its stack, where no page protects the neighbour. Reads the stack's end only
  /// then: that costs a miss of the cache for each switch.
  [[nodiscard]] static bool overflowed(const Fiber& fiber) noexcept;

 private:
  static constexpr std::size_t stacks_in_slab = 64;
  static constexpr std::size_t slab_bytes = stacks_in_slab * stack_bytes;

  void add_slab();

  std::vector<std::byte*> slabs_;
  std::vector<std::unique_ptr<Fiber>> fibers_;  ///< in the order of the stacks in the slabs
  std::vector<Fiber*> idle_;
  std::size_t unused_ = 0;  ///< stacks of the last slab without a fiber
  std::size_t guarded_ = 0;
};

}  // namespace d2l::emulator
