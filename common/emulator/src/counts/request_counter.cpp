// SPDX-License-Identifier: MIT
#include "counts/request_counter.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "checks/source_lines.h"
#include "counts/requests.h"
#include "execution/current.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t max_request_bytes = 16;

/// Structures are loaded in parts, of the largest size that divides their own.
std::size_t part_bytes(std::size_t bytes, std::uintptr_t address) {
  const std::uintptr_t divided = bytes | address | max_request_bytes;
  return std::size_t{1} << std::countr_zero(divided);
}

}  // namespace

void RequestCounter::begin_launch() {
  by_place_.clear();
  recent_.fill({});
  parked_.clear();
  divergent_warps_ = 0;
  logs_.resize((worker_.block_threads + warp_size - 1) / warp_size);
  for (WarpLog& log : logs_) {
    log.kinds.clear();
    log.made.fill(0);
    log.any_strayed = false;
    for (auto& other : log.others) other.clear();
  }
  divergent_.fill(false);
  block_ = ~std::uint64_t{0};
}

void RequestCounter::switch_block(Block& of) {
  worker_.regions->update_shared(of);
  if (of.number == block_) return;
  if (std::ranges::any_of(logs_, [](const WarpLog& log) { return !log.kinds.empty(); })) {
    Logs fresh(logs_.size());
    std::swap(logs_, fresh);
    parked_[block_] = std::move(fresh);
  }
  block_ = of.number;
  const auto found = parked_.find(block_);
  if (found == parked_.end()) return;
  logs_ = std::move(found->second);
  parked_.erase(found);
}

LineCounts& RequestCounter::counts_at(const void* caller) {
  auto& [place, counts] = recent_[reinterpret_cast<std::uintptr_t>(caller) / 4 % recent_.size()];
  if (place != caller) {
    place = caller;
    counts = &by_place_[caller];
  }
  return *counts;
}

/// Waits for the rest of the warp, so that a long loop does not fill the memory.
void RequestCounter::wait_for_warp() { worker_.wait(Wait::convergence); }

/// The first access of its number in the warp, or one that differs from that of the other lanes.
void RequestCounter::add_other(Kind kind, std::uintptr_t address) {
  current_state.own_code = true;
  note_other(kind, address);
  current_state.own_code = false;
}

void RequestCounter::note_other(Kind kind, std::uintptr_t address) {
  WarpLog& log = logs_[worker_.thread->warp()];
  const unsigned lane = worker_.thread->lane();
  if (log.made[lane] == log.kinds.size()) {
    log.kinds.push_back(kind);
    if (log.addresses.size() < log.kinds.size()) log.addresses.emplace_back();
    return add(kind, address);
  }
  auto& others = log.others[lane];
  if (log.made[lane] != strayed) {
    for (std::size_t k = 0; k < log.made[lane]; ++k) {
      others.push_back({log.kinds[k], log.addresses[k][lane]});
    }
    log.made[lane] = strayed;
    log.any_strayed = true;
  }
  others.push_back({kind, static_cast<std::uint32_t>(address)});
  if (others.size() >= longest_log) wait_for_warp();
}

void RequestCounter::access_other(const Region* region, const void* address, std::size_t bytes, AccessKind kind,
                                  const void* caller) {
  if (is_atomic(kind)) {
    const OwnCode own;
    LineCounts& at = counts_at(caller);
    ++at.atomics;
    if (region != nullptr && region->shared) ++at.shared_atomics;
    return;
  }
  if (region == nullptr || region->constant) return;  // constant memory has a path of its own
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const bool whole = bytes <= max_request_bytes && (bytes & (bytes - 1)) == 0 && begin % bytes == 0;
  const std::size_t part = whole ? bytes : part_bytes(bytes, begin);
  for (std::size_t done = 0; done < bytes; done += part) {
    add({compressed_place(caller), begin + done, part, writes(kind), region->shared}, begin + done);
  }
}

void RequestCounter::count(Kind kind, const Addresses& addresses, std::uint32_t lanes) {
  LineCounts& at = counts_at(expanded_place(kind.place()));
  const RequestedAddresses request{addresses, lanes, kind.bytes()};
  if (kind.shared()) {
    ++at.shared_requests;
    at.shared_passes += count_passes(request);
    return;
  }
  const bool store = kind.store();
  (store ? at.store_requests : at.load_requests) += 1;
  (store ? at.store_sectors : at.load_sectors) += count_sectors(request);
  (store ? at.store_bytes : at.load_bytes) += count_bytes(request);
}

/// The lanes made different accesses: those that belong together are found by their instruction.
void RequestCounter::count_divergent(WarpLog& log) {
  struct Request {
    Kind kind;
    std::uint32_t lanes = 0;
    Addresses addresses{};
  };
  using Instruction = std::pair<std::int32_t, bool>;
  std::map<std::pair<Instruction, unsigned>, Request> requests;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::map<Instruction, unsigned> nth;
    const auto add_to_requests = [&](Kind kind, std::uint32_t address) {
      const Instruction instruction{kind.place(), kind.store()};
      Request& request = requests[{instruction, nth[instruction]++}];
      if (request.lanes == 0) request.kind = kind;
      request.lanes |= 1U << lane;
      request.addresses[lane] = address;
    };
    for (std::size_t k = 0; log.made[lane] != strayed && k < log.made[lane]; ++k) {
      add_to_requests(log.kinds[k], log.addresses[k][lane]);
    }
    for (const Entry& entry : log.others[lane]) add_to_requests(entry.kind, entry.address);
    log.others[lane].clear();
  }
  for (const auto& [key, request] : requests) count(request.kind, request.addresses, request.lanes);
}

void RequestCounter::flush_warp(unsigned warp) {
  WarpLog& log = logs_[warp];
  if (log.kinds.empty()) return;
  const unsigned lanes = std::min(warp_size, worker_.block_threads - warp * warp_size);
  const bool uniform =
      std::all_of(log.made.begin(), log.made.begin() + lanes, [&](std::uint32_t n) { return n == log.kinds.size(); });
  if (!uniform) divergent_[warp] = true;
  if (log.any_strayed) {
    count_divergent(log);
  } else {
    std::uint32_t taking_part = ~0U >> (warp_size - lanes);
    for (std::size_t k = 0; k < log.kinds.size(); ++k) {
      for (unsigned lane = 0; lane < lanes && !uniform; ++lane) {
        if (log.made[lane] == k) taking_part &= ~(1U << lane);
      }
      count(log.kinds[k], log.addresses[k], taking_part);
    }
  }
  log.kinds.clear();
  log.made.fill(0);
  log.any_strayed = false;
}

void RequestCounter::end_phase() {
  for (unsigned warp = 0; warp < logs_.size(); ++warp) flush_warp(warp);
}

void RequestCounter::end_block() {
  end_phase();
  divergent_warps_ += static_cast<std::uint64_t>(std::ranges::count(divergent_, true));
  divergent_.fill(false);
}

void RequestCounter::end_launch(KernelCounts& counts) {
  counts.divergent_warps = divergent_warps_;
  std::map<std::pair<std::string, int>, LineCounts> lines;
  for (const auto& [place, at] : by_place_) {
    const SourceLine source = line_in_launch(place, *worker_.launch);
    LineCounts& line = lines[{source.file, source.line}];
    line.file = source.file;
    line.line = source.line;
    for (LineCounts* to : {&line, static_cast<LineCounts*>(&counts)}) {
      to->load_requests += at.load_requests;
      to->store_requests += at.store_requests;
      to->load_sectors += at.load_sectors;
      to->store_sectors += at.store_sectors;
      to->load_bytes += at.load_bytes;
      to->store_bytes += at.store_bytes;
      to->shared_requests += at.shared_requests;
      to->shared_passes += at.shared_passes;
    }
    line.atomics += at.atomics;  // the launch's sums are counted always
    line.shared_atomics += at.shared_atomics;
  }
  for (auto& [key, line] : lines) counts.lines.push_back(std::move(line));
}

}  // namespace d2l::emulator
