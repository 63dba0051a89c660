// SPDX-License-Identifier: MIT
// RequestCounter: joins the accesses of a warp's threads to requests, as a card does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "checks/access.h"
#include "checks/regions.h"
#include "checks/source_lines.h"
#include "execution/worker.h"

namespace d2l::emulator {

/// The k-th access by an instruction of each thread of a warp, between two barriers, is one request.
class RequestCounter {
 public:
  /// The most accesses of a thread that are kept: then it waits for the rest of its warp, and they are counted.
  static constexpr std::size_t longest_log = 1024;

  explicit RequestCounter(Worker& worker) : worker_(worker) {}

  void begin_launch();
  /// `region` contains the address; null if it is not memory of the device, for example an argument.
  void access(const Region* region, const void* address, std::size_t bytes, AccessKind kind, const void* caller) {
    if (bytes != 4 || region == nullptr || region->constant || is_atomic(kind))
      return access_other(region, address, bytes, kind, caller);
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    add({compressed_place(caller), begin, bytes, writes(kind), region->shared}, begin);
  }
  void end_phase();
  void end_block();
  /// Counts what the warp has done so far: a log was full.
  void flush_warp(unsigned warp);
  void switch_block(Block& of);
  void end_launch(KernelCounts& counts);

 private:
  /// What the accesses of a request have in common, in one word: the instruction, see compressed_place(), the upper
  /// half of the address, the bytes, and whether it is a store and of shared memory.
  class Kind {
   public:
    Kind() = default;
    Kind(std::int32_t place, std::uintptr_t address, std::size_t bytes, bool store, bool shared) noexcept
        : word_(std::uint64_t{static_cast<std::uint32_t>(place)} << 32U | (address >> 32U & 0xffffU) << 16U |
                bytes << 8U | (store ? 2U : 0U) | (shared ? 1U : 0U)) {}
    [[nodiscard]] std::int32_t place() const noexcept { return static_cast<std::int32_t>(word_ >> 32U); }
    [[nodiscard]] std::uint32_t bytes() const noexcept { return static_cast<std::uint32_t>(word_ >> 8U & 0xffU); }
    [[nodiscard]] bool store() const noexcept { return (word_ & 2U) != 0; }
    [[nodiscard]] bool shared() const noexcept { return (word_ & 1U) != 0; }
    friend bool operator==(const Kind&, const Kind&) = default;

   private:
    std::uint64_t word_ = 0;
  };
  using Addresses = std::array<std::uint32_t, warp_size>;
  struct Entry {
    Kind kind;
    std::uint32_t address;
  };
  /// The accesses of a warp since the last barrier. While all lanes make the same ones, the k-th of each is request k.
  struct WarpLog {
    // Apart from each other, so that an access reads little memory.
    std::vector<Kind> kinds;
    std::vector<Addresses> addresses;
    std::array<std::uint32_t, warp_size> made{};  ///< how many requests the lane takes part in, or `strayed`
    bool any_strayed = false;
    std::array<std::vector<Entry>, warp_size> others;  ///< what lanes did before and after their requests differed
  };
  static constexpr std::uint32_t strayed = ~0U;
  using Logs = std::vector<WarpLog>;

  LineCounts& counts_at(const void* caller);
  void access_other(const Region* region, const void* address, std::size_t bytes, AccessKind kind, const void* caller);
  void add(Kind kind, std::uintptr_t address);
  void add_other(Kind kind, std::uintptr_t address);
  void note_other(Kind kind, std::uintptr_t address);
  void wait_for_warp();
  void count(Kind kind, const Addresses& addresses, std::uint32_t lanes);
  void count_divergent(WarpLog& log);

  Worker& worker_;
  std::unordered_map<std::uint64_t, Logs> parked_;  ///< of blocks that wait while others run
  Logs logs_;                                       ///< by warp, of the running block
  std::uint64_t block_ = 0;
  std::array<bool, max_warps> divergent_{};
  std::unordered_map<const void*, LineCounts> by_place_;
  std::array<std::pair<const void*, LineCounts*>, 64> recent_{};  ///< of by_place_
  std::uint64_t divergent_warps_ = 0;
};

inline void RequestCounter::add(Kind kind, std::uintptr_t address) {
  const Thread& thread = *worker_.thread;
  WarpLog& log = logs_[thread.warp()];
  const unsigned lane = thread.lane();
  const std::uint32_t k = log.made[lane];
  if (k >= log.kinds.size() || !(log.kinds[k] == kind)) return add_other(kind, address);
  log.addresses[k][lane] = static_cast<std::uint32_t>(address);
  log.made[lane] = k + 1;
  if (k + 1 >= longest_log) wait_for_warp();
}

}  // namespace d2l::emulator
