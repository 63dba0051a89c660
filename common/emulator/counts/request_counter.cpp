// SPDX-License-Identifier: MIT
#include "counts/request_counter.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "checks/checker.h"
#include "checks/source_lines.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t sector_bytes = 32;
constexpr unsigned banks = 32;
constexpr std::size_t longest_log = 8192;

/// The largest number of different words in one bank, for each part of the warp that is served at once.
unsigned shared_passes(const std::uintptr_t* addresses, const std::uint8_t* lane, unsigned lanes, std::size_t bytes) {
  const unsigned words = static_cast<unsigned>(std::max<std::size_t>(1, bytes / 4));
  const unsigned together = warp_size / std::min(words, 4U);  // lanes: 32 of 4 bytes, 16 of 8, 8 of 16
  unsigned passes = 0;
  for (unsigned begin = 0; begin < warp_size; begin += together) {
    std::array<std::uintptr_t, warp_size * 4> seen{};
    unsigned count = 0;
    for (unsigned i = 0; i < lanes; ++i) {
      if (lane[i] < begin || lane[i] >= begin + together) continue;
      for (unsigned word = 0; word < words && count < seen.size(); ++word) seen[count++] = addresses[i] / 4 + word;
    }
    std::sort(seen.begin(), seen.begin() + count);
    const auto* const end = std::unique(seen.begin(), seen.begin() + count);
    std::array<unsigned, banks> in_bank{};
    unsigned most = 0;
    for (const auto* word = seen.begin(); word != end; ++word) most = std::max(most, ++in_bank[*word % banks]);
    passes += most;
  }
  return passes;
}

unsigned sectors(const std::uintptr_t* addresses, unsigned lanes, std::size_t bytes) {
  std::vector<std::uintptr_t> touched;
  std::uintptr_t last = 0;
  bool ascending = true;
  unsigned count = 0;
  // Ascending addresses, the usual case, need no sorting.
  for (unsigned i = 0; i < lanes; ++i) {
    const std::uintptr_t begin = addresses[i] / sector_bytes;
    const std::uintptr_t end = (addresses[i] + bytes - 1) / sector_bytes;
    if (i != 0 && begin < last) ascending = false;
    if (!ascending) break;
    const std::uintptr_t fresh = i != 0 && begin == last ? begin + 1 : begin;
    if (end >= fresh) count += static_cast<unsigned>(end - fresh + 1);
    last = end;
  }
  if (ascending) return count;
  for (unsigned i = 0; i < lanes; ++i) {
    for (std::uintptr_t at = addresses[i] / sector_bytes; at <= (addresses[i] + bytes - 1) / sector_bytes; ++at) {
      touched.push_back(at);
    }
  }
  std::sort(touched.begin(), touched.end());
  return static_cast<unsigned>(std::unique(touched.begin(), touched.end()) - touched.begin());
}

}  // namespace

void RequestCounter::begin_launch() {
  by_place_.clear();
  parked_.clear();
  divergent_warps_ = 0;
  logs_.resize(worker_.block_threads);
  for (auto& log : logs_) log.clear();
  divergent_.assign(most_warps, false);
  block_ = ~std::uint64_t{0};
}

void RequestCounter::switch_block(Block& of) {
  if (of.number == block_) return;
  const bool unfinished = std::any_of(logs_.begin(), logs_.end(), [](const auto& log) { return !log.empty(); });
  if (unfinished) {
    parked_[block_] = std::move(logs_);
    logs_.assign(worker_.block_threads, {});
  }
  block_ = of.number;
  const auto found = parked_.find(block_);
  if (found == parked_.end()) return;
  logs_ = std::move(found->second);
  parked_.erase(found);
}

void RequestCounter::access(const void* address, std::size_t bytes, AccessKind kind, const void* caller) {
  bool shared = false;
  for (const SharedRange& range : worker_.block->shared) {
    shared = shared || (address >= range.begin && address < range.begin + range.bytes);
  }
  if (kind == AccessKind::atomic) {
    ++by_place_[caller].atomics;
    return;
  }
  if (!shared && worker_.counted_regions().find(address) == nullptr) return;  // an argument or a constant
  auto& log = logs_[worker_.thread->number];
  log.push_back({caller, reinterpret_cast<std::uintptr_t>(address), static_cast<std::uint32_t>(bytes), kind,
                 shared ? Space::shared : Space::global});
  // Waits for the rest of the warp, so that a long loop does not fill the memory.
  if (log.size() >= longest_log) worker_.wait(Wait::convergence);
}

void RequestCounter::count(const Request& request) {
  LineCounts& at = by_place_[request.first.caller];
  const std::size_t bytes = request.first.bytes;
  if (request.first.space == Space::shared) {
    ++at.shared_requests;
    at.shared_passes += shared_passes(request.addresses, request.lane, request.lanes, bytes);
    return;
  }
  const bool store = writes(request.first.kind);
  (store ? at.store_requests : at.load_requests) += 1;
  (store ? at.store_sectors : at.load_sectors) += sectors(request.addresses, request.lanes, bytes);
  (store ? at.store_bytes : at.load_bytes) += bytes * request.lanes;
}

/// All threads made the same accesses in the same order.
void RequestCounter::count_uniform(const Logs& logs, unsigned first, unsigned end) {
  Request request;
  for (std::size_t k = 0; k < logs[first].size(); ++k) {
    request.first = logs[first][k];
    request.lanes = end - first;
    for (unsigned i = first; i < end; ++i) {
      request.addresses[i - first] = logs[i][k].address;
      request.lane[i - first] = static_cast<std::uint8_t>(i - first);
    }
    count(request);
  }
}

void RequestCounter::count_divergent(const Logs& logs, unsigned first, unsigned end) {
  std::map<std::tuple<const void*, bool, unsigned>, Request> requests;
  for (unsigned i = first; i < end; ++i) {
    std::map<std::pair<const void*, bool>, unsigned> nth;
    for (const Entry& entry : logs[i]) {
      const bool store = writes(entry.kind);
      Request& request = requests[{entry.caller, store, nth[{entry.caller, store}]++}];
      if (request.lanes == 0) request.first = entry;
      if (request.lanes == warp_size) continue;
      request.addresses[request.lanes] = entry.address;
      request.lane[request.lanes++] = static_cast<std::uint8_t>(i - first);
    }
  }
  for (const auto& [key, request] : requests) count(request);
}

void RequestCounter::flush_warp(Block&, unsigned warp) {
  const unsigned first = warp * warp_size;
  const unsigned end = std::min(first + warp_size, worker_.block_threads);
  bool uniform = true;
  for (unsigned i = first + 1; i < end && uniform; ++i) {
    uniform = logs_[i].size() == logs_[first].size() &&
              std::equal(logs_[i].begin(), logs_[i].end(), logs_[first].begin(), [](const Entry& a, const Entry& b) {
                return a.caller == b.caller && a.space == b.space && a.kind == b.kind;
              });
  }
  if (uniform) {
    count_uniform(logs_, first, end);
  } else {
    divergent_[warp] = true;
    count_divergent(logs_, first, end);
  }
  for (unsigned i = first; i < end; ++i) logs_[i].clear();
}

void RequestCounter::end_phase(Block& of) {
  for (unsigned warp = 0; warp * warp_size < worker_.block_threads; ++warp) flush_warp(of, warp);
}

void RequestCounter::end_block(Block& of) {
  end_phase(of);
  divergent_warps_ += static_cast<std::uint64_t>(std::count(divergent_.begin(), divergent_.end(), true));
  divergent_.assign(most_warps, false);
}

void RequestCounter::end_launch(KernelCounts& counts) {
  counts.divergent_warps = divergent_warps_;
  std::map<std::pair<std::string, int>, LineCounts> lines;
  for (const auto& [place, at] : by_place_) {
    const SourceLine& source = source_line(place);
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
    line.atomics += at.atomics;  // the launch's sum is counted always
  }
  for (auto& [key, line] : lines) counts.lines.push_back(std::move(line));
}

}  // namespace d2l::emulator
