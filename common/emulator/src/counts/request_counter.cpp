// SPDX-License-Identifier: MIT
#include "counts/request_counter.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <utility>

#include "checks/source_lines.h"
#include "counts/requests.h"
#include "execution/current.h"
#include "ledger/kernel_sums.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t max_request_bytes = 16;
constexpr std::uint64_t no_block = ~std::uint64_t{0};

/// Structures are loaded in parts, of the largest size that divides their own.
std::size_t part_bytes(std::size_t bytes, std::uintptr_t address) {
  const std::uintptr_t divided = bytes | address | max_request_bytes;
  return std::size_t{1} << std::countr_zero(divided);
}

}  // namespace

void RequestCounter::begin_launch() {
  by_place_.clear();
  samples_.clear();
  recent_.fill({});
  parked_.clear();
  flow_.clear();
  warps_.resize(warp_of(worker_.block_threads + warp_size() - 1));
  for (Warp& warp : warps_) warp.clear();
  block_ = no_block;
}

void RequestCounter::switch_block(Block& of) {
  worker_.regions->update_shared(of);
  if (of.number == block_) return;
  if (block_ != no_block) {
    Warps fresh(warps_.size());
    std::swap(warps_, fresh);
    parked_[block_] = std::move(fresh);
  }
  block_ = of.number;
  const auto found = parked_.find(block_);
  if (found == parked_.end()) return;
  warps_ = std::move(found->second);
  parked_.erase(found);
}

RequestCounter::PlaceCounts& RequestCounter::counts_at(const void* caller) {
  auto& [place, counts] = recent_[reinterpret_cast<std::uintptr_t>(caller) / 4 % recent_.size()];
  if (place != caller) {
    place = caller;
    const auto [at, is_new] = by_place_.try_emplace(caller);
    counts = &at->second;
    if (is_new && !worker_.launch->sampled) counts->sampled = ~std::uint64_t{0};
  }
  return *counts;
}

/// Waits for the rest of the warp, so that a long loop does not fill the memory.
void RequestCounter::wait_for_room() { worker_.wait(Wait::room_in_log); }

/// The thread accesses memory in a loop in which no thread has done so before.
void RequestCounter::leave_quiet_loop() {
  const OwnCode own;
  flow_.forget_quiet_loops();
  add(Event::block(std::exchange(worker_.thread->quiet_place, 0)), 0);
}

void RequestCounter::access_other(const Region* region, const void* address, std::size_t bytes, AccessKind kind,
                                  const void* caller) {
  if (is_atomic(kind)) {
    const OwnCode own;
    LineCounts& at = counts_at(caller);
    ++at.atomics;
    if (region != nullptr && region->shared) ++at.shared_atomics;
    warps_[worker_.thread->warp()].worked |= lane_bit(worker_.thread->lane());
    return;
  }
  if (region == nullptr || region->constant) return;  // constant memory has a path of its own
  if (worker_.thread->quiet_place != 0) leave_quiet_loop();
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const bool whole = bytes <= max_request_bytes && (bytes & (bytes - 1)) == 0 && begin % bytes == 0;
  const std::size_t part = whole ? bytes : part_bytes(bytes, begin);
  for (std::size_t done = 0; done < bytes; done += part) {
    add({compressed_place(caller), begin + done, part, writes(kind), region->shared}, begin + done);
  }
}

void RequestCounter::meet(Block& of, unsigned warp, LaneBits lanes) {
  const LaneBits live = ~of.warp_ended[warp];
  warp_ = &warps_[warp];
  warp_->steps.meet(lanes, {live, 0, lanes == live ? lanes : 0}, flow_, *this);
}

LaneBits RequestCounter::make_room(Block& of, unsigned warp, LaneBits waiting) {
  warp_ = &warps_[warp];
  return warp_->steps.make_steps({~of.warp_ended[warp], waiting, 0}, flow_, *this);
}

void RequestCounter::end_phase(Block& of) {
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    const LaneBits live = ~of.warp_ended[warp];
    warp_ = &warps_[warp];
    warp_->steps.make_steps({live, 0, live}, flow_, *this);
    warp_->steps.join(live);
  }
}

/// A warp makes as many steps in loops without accesses as the thread that makes the most there.
void RequestCounter::count_quiet_blocks(const Block& of) {
  if (!of.seen) return;  // without instrumentation no thread notes blocks
  for (std::size_t i = 0; i < of.threads.size(); i += warp_size()) {
    const auto lanes = std::span(of.threads).subspan(i, std::min<std::size_t>(warp_size(), of.threads.size() - i));
    const auto [fewest, most] = std::ranges::minmax(lanes, {}, &Thread::quiet_blocks);
    Warp& warp = warps_[warp_of(static_cast<unsigned>(i))];
    warp.made += most.quiet_blocks;
    warp.diverged = warp.diverged || fewest.quiet_blocks != most.quiet_blocks;
    for (const Thread& thread : lanes) worker_.counts.lane_steps += thread.quiet_blocks;
  }
}

void RequestCounter::end_block(Block& of) {
  end_phase(of);
  count_quiet_blocks(of);
  std::uint64_t made = 0;
  std::uint64_t worked = 0;
  for (Warp& warp : warps_) {
    made += warp.made;
    worked += static_cast<unsigned>(std::popcount(warp.worked));
    worker_.counts.longest_warp = std::max(worker_.counts.longest_warp, warp.made);
    if (warp.diverged) ++worker_.counts.divergent_warps;
    warp.clear();
  }
  worker_.counts.steps += made;
  worker_.counts.longest_block = std::max(worker_.counts.longest_block, made);
  worker_.counts.idle_threads += worker_.block_threads - worked;
  if (worked == 0) ++worker_.counts.idle_blocks;
  std::uint64_t shared = 0;
  for (const SharedRange& range : of.shared) shared += range.bytes;
  worker_.counts.shared_bytes = std::max(worker_.counts.shared_bytes, shared);
  block_ = no_block;
}

/// A warp makes a step: a basic block or a request.
void RequestCounter::make(const Step& step) {
  if (step.lanes != step.running) warp_->diverged = true;
  if (step.event.type() == Event::Type::access) {
    count_access(step);
  } else if (step.event.type() == Event::Type::block) {
    ++warp_->made;
    worker_.counts.lane_steps += static_cast<unsigned>(std::popcount(step.lanes));
  }
}

void RequestCounter::count_access(const Step& step) {
  const Event event = step.event;
  const void* const place = expanded_place(event.place());
  PlaceCounts& at = counts_at(place);
  const RequestedAddresses request{step.addresses, step.lanes, event.bytes()};
  warp_->worked |= step.lanes;
  at.active_lanes += static_cast<unsigned>(std::popcount(step.lanes));
  const std::uint64_t one = step.new_request ? 1 : 0;
  if (event.shared()) {
    at.shared_requests += one;
    const unsigned passes = count_passes(request);
    at.shared_passes += passes;
    offer_sample(step, at, place, passes);
    return;
  }
  const bool store = event.store();
  (store ? at.store_requests : at.load_requests) += one;
  const unsigned sectors = count_sectors(request);
  (store ? at.store_sectors : at.load_sectors) += sectors;
  offer_sample(step, at, place, sectors);
  (store ? at.store_bytes : at.load_bytes) += count_bytes(request);
}

void RequestCounter::end_launch() {
  KernelCounts& counts = worker_.counts;
  std::map<std::pair<std::string, int>, LineCounts> lines;
  for (auto& [place, at] : by_place_) {
    const SourceLine source = line_in_launch(place, *worker_.launch);
    LineCounts& line = lines[{source.file, source.line}];
    line.file = source.file;
    line.line = source.line;
    detail::add_line(line, at);
    at.atomics = at.shared_atomics = 0;  // the launch's sums have them already
    detail::add_line(counts, at);
  }
  counts.requests = samples_.take(*worker_.launch);
  for (auto& [key, line] : lines) counts.lines.push_back(std::move(line));
}

}  // namespace d2l::emulator
