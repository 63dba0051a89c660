// SPDX-License-Identifier: MIT
// The accesses of the host's code, and of its functions that run in the order of streams.
#include <malloc.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "execution/current.h"
#include "order/host_watch.h"
#include "order/timeline.h"
#include "report/report.h"

namespace d2l::emulator {
namespace {

thread_local HostFunctionScope* running_function = nullptr;

/// Memory that the host may access without more ado, while the generation is the same.
struct HarmlessRange {
  std::uint64_t generation = 0;
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;
};
constexpr std::size_t harmless_ranges = 4;
struct HarmlessRanges {
  HarmlessRange ranges[harmless_ranges];
  std::size_t next = 0;
};
thread_local HarmlessRanges harmless;

bool is_harmless(const HostAccess& access) {
  const std::uint64_t now = host_generation.load(std::memory_order_relaxed);
  for (const HarmlessRange& range : harmless.ranges) {
    const std::uintptr_t offset = access.address - range.begin;
    if (range.generation == now && offset < range.bytes && access.bytes <= range.bytes - offset) return true;
  }
  return false;
}

void remember_harmless(std::uintptr_t begin, std::uintptr_t end) {
  HarmlessRange& range = harmless.ranges[harmless.next];
  harmless.next = (harmless.next + 1) % harmless_ranges;
  range = {host_generation.load(std::memory_order_relaxed), begin, end - begin};
}

}  // namespace

/// True if an operation that the host has not waited for uses this memory, or may do so.
bool Timeline::may_conflict(const Allocation& memory) {
  const bool pending = std::any_of(sequence_.begin(), sequence_.end(),
                                   [](const auto& one) { return one->kind != Operation::Kind::host; });
  if (pending) return true;
  const auto found = uses_.find(key_of(memory, 0));
  return found != uses_.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Use& use) {
           return use.operation->time > host_.of(use.operation->agent);
         });
}

void Timeline::note_host_access(const HostAccess& access) {
  HostFunctionScope* const function = running_function;
  if ((function == nullptr && is_harmless(access)) || !active() || device_lost_) return;
  if (function == nullptr && learn_ != nullptr) learn_();
  Ended ended;
  const std::lock_guard lock(mutex_);
  if (function == nullptr && !in_flight_) return;
  const auto next = watched_.upper_bound(access.address);
  const std::uintptr_t end_of_gap = next == watched_.end() ? std::numeric_limits<std::uintptr_t>::max() : next->first;
  const std::shared_ptr<const Allocation>* memory = nullptr;
  std::uintptr_t begin_of_gap = 0;
  if (next != watched_.begin()) {
    const auto& [begin, allocation] = *std::prev(next);
    if (access.address - begin < allocation->bytes) memory = &allocation;
    begin_of_gap = begin + allocation->bytes;
  }
  const auto add = [&](const std::shared_ptr<const Allocation>& to, std::size_t begin) {
    const bool reads = (access.bits & plain_read) != 0;
    const Interval interval{begin, std::min(begin + access.bytes, to->bytes), access.bits,
                            reads ? access.caller : nullptr, reads ? nullptr : access.caller};
    if (function != nullptr) return function->accesses_.add(to, interval);
    if (segment_ == nullptr) {
      segment_ = std::make_shared<Operation>();
      segment_->kind = Operation::Kind::host;
      segment_->reports = reports_of_this_thread();
      segment_->clock = host_;
      segment_->time = host_.of(host_agent);
      segment_->host = std::make_shared<const VectorClock>(host_);
      sequence_.push_back(segment_);
    }
    segment_accesses_.add(to, interval);
  };
  if (memory != nullptr) {
    if (function == nullptr && !may_conflict(**memory)) {
      const auto begin = reinterpret_cast<std::uintptr_t>((*memory)->begin);
      return remember_harmless(begin, begin + (*memory)->bytes);
    }
    return add(*memory, access.address - reinterpret_cast<std::uintptr_t>((*memory)->begin));
  }
  std::uintptr_t begin = begin_of_gap;
  std::uintptr_t end = end_of_gap;
  for (const PageableUse& use : pageable_uses_) {
    if (access.address < use.end && use.begin < access.address + access.bytes) return add(pageable_, access.address);
    if (use.end <= access.address) begin = std::max(begin, use.end);
    if (use.begin > access.address) end = std::min(end, use.begin);
  }
  if (function == nullptr && published_.empty()) return remember_harmless(begin, end);
  // Ordinary memory by which the host and functions of the host in streams talk to each other.
  const std::uintptr_t word = access.address / 8;
  if (function != nullptr) {
    constexpr std::size_t most = 4096;
    if ((access.bits & (plain_write | atomic_use)) == 0) return;
    if (published_.size() == most && !published_.contains(word)) return host_joins(function->operation_->clock, ended);
    published_[word].join(function->operation_->clock);
    host_generation.fetch_add(1, std::memory_order_relaxed);
  } else if (const auto found = published_.find(word); found != published_.end()) {
    const VectorClock clock = found->second;
    host_joins(clock, ended);
  }
}

HostFunctionScope::HostFunctionScope(std::shared_ptr<Operation> operation)
    : operation_(std::move(operation)), own_code_(std::exchange(current_state.own_code, false)) {
  if (operation_ != nullptr) running_function = this;
}
HostFunctionScope::~HostFunctionScope() {
  running_function = nullptr;
  current_state.own_code = own_code_;
}

void watch_host_access(const void* address, std::size_t bytes, AccessKind kind, const void* caller) {
  if (current_state.worker != nullptr || current_state.own_code || bytes == 0) return;
  const OwnCode own;
  const std::uint8_t bits =
      is_atomic(kind) || is_volatile(kind) ? atomic_use : (writes(kind) ? plain_write : plain_read);
  timeline().note_host_access({reinterpret_cast<std::uintptr_t>(address), bytes, bits, caller});
}

void watch_host_free(void* memory, const void* caller) {
  if (memory == nullptr || current_state.worker != nullptr || current_state.own_code) return;
  const OwnCode own;
  timeline().note_host_access(
      {reinterpret_cast<std::uintptr_t>(memory), malloc_usable_size(memory), release_use, caller});
}

}  // namespace d2l::emulator
