// SPDX-License-Identifier: MIT
// Worker: what one thread of the process needs to run kernels; Block and Thread: the state of a kernel's block and
// thread while they run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "d2l_emulator/barriers.h"
#include "d2l_emulator/language.h"
#include "d2l_emulator/vector_types.h"
#include "d2l_emulator/warp.h"
#include "execution/block_source.h"
#include "execution/current.h"
#include "execution/lanes.h"
#include "execution/run_kernel.h"
#include "execution/tiles.h"
#include "fibers/fibers.h"
#include "watchdog/watchdog.h"

namespace d2l::emulator {

class Checker;
class Regions;
class RequestCounter;

constexpr unsigned max_threads = 1024;
constexpr unsigned max_warps = max_threads / 32;

enum class Wait { nothing, block_barrier, warp, convergence, room_in_log, grid_barrier, yield };

struct alignas(64) Thread {
  unsigned number = 0;  ///< in the block
  Wait wait = Wait::nothing;
  bool started = false;
  bool ended = false;
  bool stopped = false;  ///< ended by a report
  Fiber* fiber = nullptr;
  Place place{"", 0};  ///< where it waits, or last waited
  int value = 0;       ///< what it brings to a barrier
  // A call of a warp function, and its result.
  WarpOperation operation = WarpOperation::synchronise;
  LaneBits given_mask = 0;
  LaneBits mask = 0;  ///< given_mask with its own lane
  int source = 0;
  std::uint64_t bits = 0;
  std::uint32_t meetings = 0;  ///< of its warp in which it took part
  // For the checks: logical times of its last fence, and of what it has acquired.
  std::uint32_t fenced = 0;
  std::uint32_t acquired = 0;
  unsigned atomics = 0;
  // For the counts.
  std::uint32_t depth = 0;         ///< how many functions it is in
  std::uint64_t quiet_blocks = 0;  ///< basic blocks that it executed in loops without accesses to memory
  std::int32_t quiet_place = 0;    ///< the last of them, if it is still in the loop; else 0

  [[nodiscard]] unsigned lane() const noexcept { return lane_of(number); }
  [[nodiscard]] unsigned warp() const noexcept { return warp_of(number); }
};

/// A __shared__ variable of a block, or its dynamic shared memory.
struct SharedRange {
  std::string name;
  std::byte* begin;
  std::size_t bytes;
  int line;
  ArrayShape shape;
};

struct Block {
  std::uint64_t number = 0;
  uint3 index{};
  std::vector<Thread> threads;  ///< valid if one has been seen
  bool seen = false;            ///< a thread is known to the scheduler; others may have run ahead to their ends
  unsigned ended = 0;
  unsigned idle_rounds = 0;   ///< rounds in which threads only yielded
  bool reported = false;      ///< a report ended a thread, so that barriers may be incomplete
  bool only_barriers = true;  ///< threads have not waited otherwise since the last barrier
  FiberQueue ready;
  std::vector<Fiber*> at_barrier;
  std::vector<Fiber*> at_grid_barrier;
  std::vector<Fiber*> yielded;
  unsigned waiting_in_warps = 0;
  std::array<LaneBits, max_warps> warp_waiting{};  ///< lanes that wait in a warp function
  std::array<LaneBits, max_warps> warp_ended{};    ///< lanes that have ended, or do not exist
  int barrier_sum = 0;
  // What the barrier tells its threads.
  int barrier_count = 0;
  bool barrier_all = false;
  // Shared memory: what is declared, and its contents while another block uses the addresses.
  std::vector<SharedRange> shared;
  std::vector<std::vector<std::byte>> saved_shared;
  std::unique_ptr<TileStates> tiles;  ///< null until a tile of more than a warp meets
  // For the checks.
  std::uint32_t phase = 0;
  std::uint32_t epoch = 0;
  std::uint32_t phase_epoch = 0;  ///< the first epoch of the phase
  Place last_barrier{"", 0};      ///< where the phase began
  std::uint32_t epoch_time = 0;
  std::uint32_t acquired = 0;
  std::uint32_t fenced = 0;  ///< the latest fence of a thread before the last barrier
  std::vector<std::vector<std::uint8_t>> saved_initialised;
  /// What each lane of a warp knows of the meetings of the others; empty until a part of a warp meets.
  std::array<std::unique_ptr<std::array<std::uint32_t, std::size_t{max_lanes} * max_lanes>>, max_warps> meetings_known;
};

/// All that a thread of the process needs to run kernels; made at its first kernel, kept until the thread ends.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Runs the blocks that this worker takes from the source.
  KernelOutcome run(const KernelLaunch& launch, const AllocationTable& allocations, BlockSource& blocks);

  // Called by a kernel's thread: waits in the way that `thread->wait` tells.
  void wait(Wait how);
  void yield() { wait(Wait::yield); }
  /// Ends the running thread only, after a report.
  [[noreturn]] void stop_thread();
  /// Ends the kernel.
  [[noreturn]] void fail(FaultKind kind, std::string what);

  /// The kernel reads a clock.
  void note_clock() const noexcept { blocks_->note_clock(); }

  /// Makes the running thread of a loop or a round known to the scheduler, and those that ran before it.
  void catch_up();
  /// The last thread of a round has come to a barrier. If all threads of the block are there, goes on with the next
  /// round; else returns false.
  bool go_on_in_round(Place place);
  /// The thread that runs, which is known, has ended.
  void end_seen_thread();

  void declare_shared(const char* name, void* address, std::size_t bytes, int line, const ArrayShape& shape) const;
  void* dynamic_shared(const char* name, const ArrayShape& shape) const;
  std::uint64_t meet(WarpOperation operation, LaneBits mask, std::uint64_t value, int source, Place place);

  /// Called by the handler of signals, in a kernel's thread: ends the kernel.
  [[noreturn]] void fault_signal(int signal, const void* address);

  /// True if the address is in a shared variable of the running block.
  [[nodiscard]] bool is_shared(const void* address) const noexcept {
    for (const SharedRange& range : block->shared) {
      if (static_cast<std::size_t>(static_cast<const std::byte*>(address) - range.begin) < range.bytes) return true;
    }
    return false;
  }

  /// "kernel add<float>, block (1, 0, 0), thread (3, 0, 0)" for the running thread.
  [[nodiscard]] std::string running() const;
  /// "block (1, 0, 0)" and "thread (3, 0, 0)".
  [[nodiscard]] std::string block_text(std::uint64_t number) const;
  [[nodiscard]] std::string thread_text(unsigned number) const;

  const KernelLaunch* launch = nullptr;
  const AllocationTable* allocations = nullptr;
  Fiber* fiber = nullptr;    ///< that runs; null while the scheduler runs
  Thread* thread = nullptr;  ///< that runs
  Block* block = nullptr;    ///< whose shared memory is in place
  unsigned block_threads = 0;
  KernelCounts counts;
  FiberPool fibers;
  Checker* checker = nullptr;         ///< null unless the launch is checked
  RequestCounter* counter = nullptr;  ///< null unless the launch is counted
  Regions* regions = nullptr;         ///< finds the allocation of an address, for the checks and the counts
  std::vector<uint3> thread_indices;
  std::byte* dynamic_begin = nullptr;

  static constexpr std::size_t dynamic_shared_bytes = std::size_t{256} << 10;

 private:
  static void fiber_entry();
  void run_threads();
  void start_thread(unsigned number);
  void end_loop();
  [[nodiscard]] Fiber* next_fiber() noexcept;
  void enter(Fiber* next, Context& from) noexcept;
  void switch_from(Fiber* own, Fiber* next);
  void resume(Fiber* next);
  enum class Progress { finished, stalled };
  Progress advance(Block& of);
  void release_barrier(Block& of);
  [[nodiscard]] bool begin_round(Block& of);
  void leave_round();
  void release_grid_barrier();
  [[nodiscard]] bool complete_convergence(Block& of) const;
  void complete_meeting(Block& of, Thread& last) const;
  [[nodiscard]] bool meeting_is_complete(const Block& of, const Thread& caller) const;
  void complete_meetings_without(Block& of, const Thread& gone);
  void explain_signal();
  [[noreturn]] void leave_fiber();
  void report_deadlock(Block& of);
  void start_block(Block& of, std::uint64_t number) const;
  void put_in_place(Block& next);
  void run_blocks();
  bool start_next_block();
  void finish_block(std::size_t turn);
  void wait_for_others();
  void end_if_endless();
  void abandon_all();
  void finish_thread(Thread& ended_thread);

  std::vector<WaitingThread> round_;  ///< with unused ones at both ends, whose addresses may be loaded
  std::vector<Fiber*> round_fibers_;
  Context scheduler_;
  Context* came_from_ = nullptr;  ///< what the running fiber was switched to from
  std::unique_ptr<Checker> kept_checker_;
  std::unique_ptr<RequestCounter> kept_counter_;
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
  watchdog::Verdict verdict_;
  BlockSource* blocks_ = nullptr;
  std::uint64_t blocks_ended_ = 0;
  bool failed_ = false;
  std::optional<KernelFault> fault_;  ///< null if a block on another core failed
  int signal_ = 0;                    ///< that ended the kernel
  const void* signal_address_ = nullptr;
  std::unique_ptr<std::byte[]> dynamic_memory_;
  std::unique_ptr<std::byte[]> signal_stack_;
};

/// The worker of this thread while a kernel runs; null else. Its thread is that which runs.
inline Worker* running_worker() noexcept {
  if (thread_loop.state != ThreadState::seen) current_state.worker->catch_up();
  return current_state.worker;
}
/// Installs the handler that turns a fault of a kernel into a device's fault.
void install_fault_handler();

/// While it is in scope, an interrupt (Ctrl-C) of the process names the kernel: it may never end.
class InterruptNotice {
 public:
  explicit InterruptNotice(const KernelLaunch& launch);
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice&) = delete;
  InterruptNotice& operator=(const InterruptNotice&) = delete;
};

}  // namespace d2l::emulator
