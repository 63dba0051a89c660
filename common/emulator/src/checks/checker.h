// SPDX-License-Identifier: MIT
// Checker: judges each access and each barrier of a launch that is checked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "checks/access.h"
#include "checks/race.h"
#include "checks/regions.h"
#include "checks/reports.h"
#include "checks/source_lines.h"
#include "execution/current.h"
#include "execution/worker.h"
#include "nested/launch_point.h"

namespace d2l::emulator {

class Checker {
 public:
  explicit Checker(Worker& worker) : worker_(worker), regions_(worker) {}

  void begin_launch();
  /// The text of all reports; empty if there is none.
  std::string end_launch();
  [[nodiscard]] FaultKind worst() const noexcept { return reports_.first_kind(); }

  /// Reports what is wrong with an access. False if the thread must end before it does harm.
  [[nodiscard]] bool access(Region* region, const std::byte* address, std::size_t bytes, AccessKind kind,
                            const void* caller);

  /// The races of the launch that has ended.
  std::vector<Race> take_races() { return std::move(races_); }

  /// The running thread launches a kernel, which is later compared with what its parent does.
  std::shared_ptr<const LaunchPoint> launch_point();

  // What happens to threads and blocks.
  void end_thread() {
    flush_pending();
    compare_written();
  }
  void block_barrier(Block& of);
  void grid_barrier() { ++grid_phase_; }
  void new_epoch(Block& of);
  void fence();
  /// The running thread makes known at this address what it has done before its last fence, and learns what others have
  /// made known there.
  void synchronise(const void* address) { synchronise_by_atomic(static_cast<const std::byte*>(address)); }
  void switch_block(Block& of);
  void save_shared(Block& of);
  void declare_shared();
  /// Reports a read of a variable that others change atomically, unless an atomic of the same thread followed.
  void flush_pending();
  void report_lane_not_in_mask(const char* operation, LaneBits mask, Place place);
  void report_missing_source(Block& of, const Thread& reader, unsigned lane);
  /// A function that all lanes of a warp must execute has only some.
  void report_missing_lanes(const Block& of, const Thread& caller, LaneBits lanes, const char* function);
  /// Reports a wrong argument of a function for matrices.
  void report_argument(FaultKind fault, const char* kind, const char* detail, const void* caller);
  /// An index of the running thread that is beyond an array, whose type is "int [8]".
  void report_index(std::string_view type, const std::string& index, const void* caller);

  [[nodiscard]] Regions& regions() noexcept { return regions_; }
  /// The accesses of the launch that has ended, to memory that other operations can use.
  std::vector<MemoryAccesses> take_accesses() { return regions_.take_touched(first_epoch_); }

 private:
  struct Access {
    Region& region;
    std::size_t offset;
    std::size_t bytes;
    AccessKind kind;
    const void* caller;
  };

  [[nodiscard]] bool judge(Region* region, const std::byte* address, std::size_t bytes, AccessKind kind,
                           const void* caller);
  bool is_plain(const Region& region, std::size_t offset, bool write, const void* caller);
  [[nodiscard]] bool is_right_outside(const std::byte* address, std::size_t bytes, AccessKind kind, const void* caller);
  [[nodiscard]] bool is_number(const Access& access) const;
  void check_initialised(const Access& access);
  void check_races(const Access& access);
  void check_cell(Cell& cell, ShadowAccess own, const Access& access);
  [[nodiscard]] bool concurrent(const ShadowAccess& earlier, ShadowAccess own, bool shared) const;
  void begin_with_parents();
  void end_as_parent();
  /// The launch of this kernel, or of one that it is within, by the kernel that made the access; null if there is none.
  [[nodiscard]] const LaunchPoint* launch_after(const ShadowAccess& access) const;
  [[nodiscard]] bool concurrent_with_parent(const ShadowAccess& earlier) const;
  void report_race_with_parent(std::string_view kind, const ShadowAccess& earlier, const Access& access);
  /// True for the place of a read whose value an atomic access of the same thread verifies, see guesses_.
  bool is_guess(std::int32_t place);
  void report_race(const char* kind, const ShadowAccess& earlier, const Access& access);
  void watch_written(const Access& access);
  void compare_written();
  void tell_same_values();
  void synchronise_by_atomic(const std::byte* address);
  [[nodiscard]] bool may_read_outside(const std::byte* address, std::size_t bytes, bool write) const;
  [[nodiscard]] std::string element_text(const Allocation& array, std::ptrdiff_t offset, std::size_t bytes) const;
  [[nodiscard]] std::string describe(const char* kind, const void* caller) const;

  Worker& worker_;
  Regions regions_;
  Reports reports_;
  std::vector<Race> races_;
  WrittenValues written_;      ///< of writes after writes
  std::vector<Epoch> epochs_;  ///< of this launch
  std::uint32_t first_epoch_ = 1;
  std::uint32_t oldest_epoch_ = 1;  ///< that is compared: of this launch, or of the kernels that it is within
  std::uint32_t next_epoch_ = 1;
  const LaunchPoint* parents_ = nullptr;  ///< null unless another kernel launched this one
  std::shared_ptr<ParentRun> run_;        ///< null until a thread launches a kernel
  std::uint32_t time_ = 1;                ///< advances with every fence
  std::uint32_t grid_phase_ = 0;
  std::unordered_map<const void*, std::uint32_t>
      released_;  ///< by the address of an atomic: the latest fence before it
  struct Pending {
    Region region;  ///< a copy: the table may have changed since
    std::size_t offset;
    ShadowAccess earlier;
    const void* caller;
    const char* kind;
    std::size_t bytes;
  };
  std::optional<Pending> pending_;
  bool flushing_ = false;
  /// Places of reads after which the same thread made an atomic access to the same memory: the read is a guess, as the
  /// first one in a loop with atomicCAS, and need not be in order with the atomics of other threads.
  std::unordered_set<std::int32_t> guesses_;
};

/// The most frequent accesses, made fast: a word that was written in an earlier phase, or in global memory before the
/// launch. True if nothing can be wrong with the access; it is noted then.
inline bool Checker::is_plain(const Region& region, std::size_t offset, bool write, const void* caller) {
  if (region.shadow == nullptr || offset % 4 != 0 || offset + 4 > region.bytes) return false;
  if (region.shadow->granularity() != 4 || region.allocation->freed.load(std::memory_order_relaxed)) return false;
  if (region.initialised != nullptr && region.initialised[offset / 8].load(std::memory_order_relaxed) != 0xff)
    return false;
  Cell& cell = region.shadow->cells()[offset / 4];
  const Block& block = *worker_.block;
  const std::uint32_t oldest = region.shared ? block.phase_epoch : oldest_epoch_;
  if (cell.write.epoch >= oldest) return false;
  const Thread& thread = *worker_.thread;
  const ShadowAccess own{block.epoch, ShadowAccess::thread_bits_of(thread.number, false, thread.meetings),
                         compressed_place(caller)};
  if (write) {
    if (cell.read.epoch >= oldest || cell.other_read.epoch >= oldest) return false;
    region.shadow->touch(offset);
    cell.write = own;
    return true;
  }
  bool first = cell.read.epoch < oldest;
  if (first) {
    region.shadow->touch(offset);
  } else {
    first = cell.read.epoch == own.epoch ? cell.read.thread() == thread.number
                                         : !region.shared && !concurrent(cell.read, own, false);
  }
  (first ? cell.read : cell.other_read) = own;
  return true;
}

inline bool Checker::access(Region* region, const std::byte* address, std::size_t bytes, AccessKind kind,
                            const void* caller) {
  if (written_.pending()) compare_written();
  const bool frequent = bytes == 4 && region != nullptr && kind <= AccessKind::write;
  if (frequent && is_plain(*region, region->offset_of(address), writes(kind), caller)) return true;
  current_state.own_code = true;
  const bool may_go_on = judge(region, address, bytes, kind, caller);
  current_state.own_code = false;
  return may_go_on;
}

}  // namespace d2l::emulator
