// SPDX-License-Identifier: MIT
// Fibers: stacks on which the threads of a block run, kept and used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "d2l_emulator/vector_types.h"
#include "fibers/context_switch.h"

namespace d2l::emulator {

struct Thread;

/// A stack with a context; `thread` is the kernel's thread that runs or waits on it. A switch uses its first cache
/// line.
struct alignas(64) Fiber {
  Thread* thread = nullptr;
  uint3 index{};             ///< of the thread
  unsigned number = 0;       ///< of the thread, in its block
  std::byte* low = nullptr;  ///< the lowest byte that the fiber may use
  bool guarded = false;      ///< a page below the stack faults
  Context context;
  std::size_t colour = 0;  ///< where the first frame begins, so that frames do not share cache sets

  void prefetch() const noexcept {
    __builtin_prefetch(thread);
#ifndef D2L_FIBERS_BY_UCONTEXT
    for (std::ptrdiff_t byte = 0; byte < 192; byte += 64)
      __builtin_prefetch(static_cast<const char*>(context.stack_pointer) + byte);
#endif
  }
};

/// Fibers that go on one after the other.
class FiberQueue {
 public:
  [[nodiscard]] bool empty() const noexcept { return next_ == fibers_.size(); }
  void push_back(Fiber* fiber) { fibers_.push_back(fiber); }
  void append(std::vector<Fiber*>& more) {
    fibers_.insert(fibers_.end(), more.begin(), more.end());
    more.clear();
  }
  Fiber* take_first() noexcept {
    Fiber* const first = fibers_[next_++];
    if (empty()) clear();
    return first;
  }
  void clear() noexcept {
    fibers_.clear();
    next_ = 0;
  }
  /// Loads what the switches to fibers behind the first one will use: their stacks do not fit into the first cache.
  void prefetch() const noexcept {
    constexpr std::size_t near = 2;
    constexpr std::size_t far = 5;
    if (next_ + far < fibers_.size()) __builtin_prefetch(fibers_[next_ + far]);
    if (next_ + near < fibers_.size()) fibers_[next_ + near]->prefetch();
  }

 private:
  std::vector<Fiber*> fibers_;
  std::size_t next_ = 0;
};

/// The fibers of one worker thread.
class FiberPool {
 public:
  /// The memory of a fiber: the guard, which faults, and above it the stack. Both are whole pages on every machine: a
  /// page has 4 to 64 KiB. On ARM, compilers touch a large frame every 64 KiB only, so that a smaller guard would be
  /// missed.
  static constexpr std::size_t stack_bytes = std::size_t{192} << 10;
  static constexpr std::size_t guard_bytes = std::size_t{64} << 10;

  /// From one stack to the next: an odd number of small pages, so that the stacks do not share sets of the TLB.
  static std::size_t stride() noexcept;

  FiberPool() = default;
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber that will call `entry`, or that waits in it for the next thread.
  Fiber* take(void (*entry)());
  /// The same without allocating memory: null if all fibers are in use.
  Fiber* take_idle() noexcept {
    if (idle_.empty()) return nullptr;
    Fiber* const fiber = idle_.back();
    idle_.pop_back();
    return fiber;
  }
  void give(Fiber* fiber) { idle_.push_back(fiber); }
  /// Gives a fiber back whose frames are abandoned.
  void reset(Fiber* fiber, void (*entry)());
  /// True if the address is in the unused end of a stack: the stack has overflowed.
  [[nodiscard]] bool is_guard(const void* address) const noexcept;
  /// The fiber whose stack contains the address; null if there is none.
  [[nodiscard]] const Fiber* owner(const void* address) const noexcept;
  /// True if the fiber has written below its stack, where no page protects the neighbour. Reads the stack's end only
  /// then: that costs a miss of the cache for each switch.
  [[nodiscard]] static bool overflowed(const Fiber& fiber) noexcept { return !fiber.guarded && has_written_low(fiber); }

 private:
  static constexpr std::size_t stacks_in_slab = 64;
  static std::size_t slab_bytes() noexcept { return stacks_in_slab * stride(); }

  void add_slab();
  static bool has_written_low(const Fiber& fiber) noexcept;

  std::vector<std::byte*> slabs_;
  std::vector<std::unique_ptr<Fiber>> fibers_;  ///< in the order of the stacks in the slabs
  std::vector<Fiber*> idle_;
  std::size_t unused_ = 0;  ///< stacks of the last slab without a fiber
  std::size_t guarded_ = 0;
};

}  // namespace d2l::emulator
