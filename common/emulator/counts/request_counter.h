// SPDX-License-Identifier: MIT
// RequestCounter: joins the accesses of a warp's threads to requests, as a card does.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "checks/access.h"
#include "execution/worker.h"

namespace d2l::emulator {

/// The k-th access by an instruction of each thread of a warp, between two barriers, is one request.
class RequestCounter {
 public:
  explicit RequestCounter(Worker& worker) : worker_(worker) {}

  void begin_launch();
  void access(const void* address, std::size_t bytes, AccessKind kind, const void* caller);
  void end_phase(Block& of);
  void end_block(Block& of);
  /// Counts what the warp has done so far: a log was full.
  void flush_warp(Block& of, unsigned warp);
  void switch_block(Block& of);
  void end_launch(KernelCounts& counts);

 private:
  enum class Space : std::uint8_t { global, shared };
  struct Entry {
    const void* caller;
    std::uintptr_t address;
    std::uint32_t bytes;
    AccessKind kind;
    Space space;
  };
  struct Request {
    Entry first;
    unsigned lanes = 0;
    std::uintptr_t addresses[warp_size];
    std::uint8_t lane[warp_size];
  };
  using Logs = std::vector<std::vector<Entry>>;

  void count(const Request& request);
  void count_uniform(const Logs& logs, unsigned first, unsigned end);
  void count_divergent(const Logs& logs, unsigned first, unsigned end);

  Worker& worker_;
  std::unordered_map<std::uint64_t, Logs> parked_;  ///< of blocks that wait while others run
  Logs logs_;                                       ///< by thread, of the running block
  std::uint64_t block_ = 0;
  std::vector<bool> divergent_;
  std::unordered_map<const void*, LineCounts> by_place_;
  std::uint64_t divergent_warps_ = 0;
};

}  // namespace d2l::emulator
