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
    if (bytes != 4 || region == nullptr || kind == AccessKind::atomic)
      return access_other(region, address, bytes, kind, caller);
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    add({compressed_place(caller), 4, writes(kind), region->shared, high(begin)}, begin);
  }
  void end_phase();
  void end_block();
  /// Counts what the warp has done so far: a log was full.
  void flush_warp(unsigned warp);
  void switch_block(Block& of);
  void end_launch(KernelCounts& counts);

 private:
  /// What the accesses of a request have in common.
  struct Kind {
    std::int32_t place = 0;  ///< the instruction, see compressed_place()
    std::uint8_t bytes = 0;
    bool store = false;
    bool shared = false;
    std::uint8_t high = 0;  ///< of the address: its lower 32 bits are apart
    friend bool operator==(const Kind&, const Kind&) = default;
  };
  struct Request {
    Kind kind;
    std::uint32_t lanes = 0;  ///< a bit for each
    std::array<std::uint32_t, warp_size> addresses;
  };
  struct Entry {
    Kind kind;
    std::uint32_t address;
  };
  /// The accesses of a warp since the last barrier. While all lanes make the same ones, the k-th of each is request k.
  struct WarpLog {
    std::vector<Request> requests;
    std::size_t used = 0;                         ///< of `requests`
    std::array<std::uint32_t, warp_size> made{};  ///< how many requests the lane takes part in
    std::uint32_t strayed = 0;                    ///< the lanes whose further accesses are apart, in `others`
    std::array<std::vector<Entry>, warp_size> others;
  };
  using Logs = std::vector<WarpLog>;

  LineCounts& counts_at(const void* caller);
  static std::uint8_t high(std::uintptr_t address) noexcept { return static_cast<std::uint8_t>(address >> 32U); }
  void access_other(const Region* region, const void* address, std::size_t bytes, AccessKind kind, const void* caller);
  void add(const Kind& kind, std::uintptr_t address);
  void count(const Request& request);
  void count_divergent(WarpLog& log);

  Worker& worker_;
  std::unordered_map<std::uint64_t, Logs> parked_;  ///< of blocks that wait while others run
  Logs logs_;                                       ///< by warp, of the running block
  std::uint64_t block_ = 0;
  std::array<bool, most_warps> divergent_{};
  std::unordered_map<const void*, LineCounts> by_place_;
  std::array<std::pair<const void*, LineCounts*>, 64> recent_{};  ///< of by_place_
  std::uint64_t divergent_warps_ = 0;
};

inline void RequestCounter::add(const Kind& kind, std::uintptr_t address) {
  const Thread& thread = *worker_.thread;
  WarpLog& log = logs_[thread.warp()];
  const unsigned lane = thread.lane();
  const auto low = static_cast<std::uint32_t>(address);
  std::size_t length = log.made[lane];
  if ((log.strayed >> lane & 1U) == 0) {
    if (length == log.used) {
      if (length == log.requests.size()) log.requests.emplace_back();
      log.requests[length].kind = kind;
      log.requests[length].lanes = 0;
      ++log.used;
    }
    Request& request = log.requests[length];
    if (request.kind == kind) {
      request.lanes |= 1U << lane;
      request.addresses[lane] = low;
      log.made[lane] = static_cast<std::uint32_t>(++length);
    } else {
      log.strayed |= 1U << lane;
    }
  }
  if ((log.strayed >> lane & 1U) != 0) {
    log.others[lane].push_back({kind, low});
    length += log.others[lane].size();
  }
  // Waits for the rest of the warp, so that a long loop does not fill the memory.
  if (length >= longest_log) worker_.wait(Wait::convergence);
}

}  // namespace d2l::emulator
