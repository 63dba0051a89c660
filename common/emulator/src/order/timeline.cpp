// SPDX-License-Identifier: MIT
#include "order/timeline.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>

#include "execution/current.h"
#include "order/host_watch.h"
#include "runtime/report.h"

namespace d2l::emulator {

std::atomic<bool> host_is_watched{false};

namespace {

constexpr std::size_t host_agent = 0;
/// Changes whenever an access of the host that was harmless may not be so any more.
std::atomic<std::uint64_t> generation{1};

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
  const std::uint64_t now = generation.load(std::memory_order_relaxed);
  for (const HarmlessRange& range : harmless.ranges) {
    const std::uintptr_t offset = access.address - range.begin;
    if (range.generation == now && offset < range.bytes && access.bytes <= range.bytes - offset) return true;
  }
  return false;
}

/// Each device has its own copy of a variable.
std::uint64_t key_of(const Allocation& memory, int device) {
  const bool own = memory.kind == MemoryKind::symbol && !memory.managed;
  return memory.id * 64 + static_cast<std::uint64_t>(own ? device : 63);
}

std::shared_ptr<const Allocation> all_pageable() {
  auto all = std::make_shared<Allocation>();
  all->bytes = std::numeric_limits<std::size_t>::max();
  all->kind = MemoryKind::pinned;
  return all;
}

bool any_use(std::uint8_t, std::uint8_t) { return true; }

}  // namespace

/// Functions that must not be called with the mutex locked.
struct Timeline::Ended {
  std::vector<std::function<void()>> functions;
  ~Ended() {
    for (const auto& each : functions) each();
  }
};

Timeline::Timeline() : pageable_(all_pageable()) {}

Timeline& timeline() {
  static auto* const made = new Timeline;
  return *made;
}

void Timeline::keep(bool wanted) { kept_ += wanted ? 1 : -1; }

Timeline::StreamState& Timeline::state_of(const StreamRole& stream) {
  const auto found = streams_.find(stream.id);
  if (found != streams_.end()) return found->second;
  StreamState state;
  state.role = stream;
  const auto unused = std::find_if(streams_.begin(), streams_.end(), [&](const auto& entry) {
    const StreamState& one = entry.second;
    return one.retired && one.clock.of(one.agent) <= host_.of(one.agent);
  });
  if (unused != streams_.end()) {
    state.agent = unused->second.agent;
    streams_.erase(unused);
  } else {
    state.agent = agents_++;
  }
  state.clock.join(host_);
  return streams_.emplace(stream.id, std::move(state)).first->second;
}

/// What is in flight, or what the host knows, has changed.
void Timeline::host_changed() {
  host_snapshot_ = nullptr;
  in_flight_ = std::any_of(streams_.begin(), streams_.end(), [&](const auto& entry) {
    const StreamState& one = entry.second;
    return one.clock.of(one.agent) > host_.of(one.agent);
  });
  std::erase_if(pageable_uses_, [&](const PageableUse& use) { return use.time <= host_.of(use.agent); });
  if (!in_flight_) published_.clear();
  host_is_watched = in_flight_;
  generation.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<Operation> Timeline::submit(const StreamRole& stream, Operation what) {
  const OwnCode own;
  // Registered after what ends the queues, so that it is called before.
  static const int registered = std::atexit([] { timeline().settle(); });
  static_cast<void>(registered);
  if (learn_ != nullptr) learn_();
  Ended ended;
  const std::lock_guard lock(mutex_);
  close_segment(ended);
  StreamState& state = state_of(stream);
  state.clock.join(host_);
  for (auto& [id, other] : streams_) {
    const bool waits = other.role.device == stream.device && stream.blocking && other.role.blocking &&
                       (stream.is_default || other.role.is_default);
    if (waits && &other != &state) state.clock.join(other.clock);
  }
  what.time = state.clock.advance(state.agent);
  what.agent = state.agent;
  what.stream = stream.text;
  what.device = stream.device;
  what.compared = stream.compared;
  what.clock = state.clock;
  if (host_snapshot_ == nullptr) host_snapshot_ = std::make_shared<const VectorClock>(host_);
  what.host = host_snapshot_;
  for (const MemoryAccesses& one : what.accesses) {
    if (one.allocation != pageable_) continue;
    for (const Interval& each : one.intervals) {
      pageable_uses_.push_back({each.begin, each.end, what.agent, what.time});
    }
  }
  auto operation = std::make_shared<Operation>(std::move(what));
  if (operation->kind == Operation::Kind::kernel) state.last_kernel = operation;
  sequence_.push_back(operation);
  host_.advance(host_agent);
  host_changed();
  return operation;
}

void Timeline::complete(const std::shared_ptr<Operation>& operation, std::vector<MemoryAccesses> accesses) {
  const OwnCode own;
  Ended ended;
  const std::lock_guard lock(mutex_);
  if (operation->done) return;
  for (MemoryAccesses& one : accesses) operation->accesses.push_back(std::move(one));
  operation->done = true;
  process(ended);
}

void Timeline::add_host_operation(Operation what) {
  const OwnCode own;
  if (learn_ != nullptr) learn_();
  Ended ended;
  const std::lock_guard lock(mutex_);
  close_segment(ended);
  what.agent = host_agent;
  what.clock = host_;
  what.time = host_.advance(host_agent);
  what.host = std::make_shared<const VectorClock>(what.clock);
  what.done = true;
  sequence_.push_back(std::make_shared<Operation>(std::move(what)));
  host_changed();
  process(ended);
}

VectorClock Timeline::clock_of_submitted(const StreamRole& stream) {
  const OwnCode own;
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(stream.id);
  return found == streams_.end() ? host_ : found->second.clock;
}

VectorClock Timeline::clock_of(const StreamRole& stream) {
  const OwnCode own;
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(stream.id);
  VectorClock clock = found == streams_.end() ? host_ : found->second.clock;
  if (!stream.is_default) return clock;
  for (const auto& [id, other] : streams_) {
    if (other.role.device == stream.device && other.role.blocking) clock.join(other.clock);
  }
  return clock;
}

VectorClock Timeline::clock_of_device(int device) {
  const OwnCode own;
  const std::lock_guard lock(mutex_);
  VectorClock clock = host_;
  for (const auto& [id, other] : streams_) {
    if (other.role.device == device) clock.join(other.clock);
  }
  return clock;
}

void Timeline::host_joins(const VectorClock& clock, Ended& ended) {
  close_segment(ended);
  host_.join(clock);
  host_changed();
}

void Timeline::host_knows(const VectorClock& clock) {
  const OwnCode own;
  Ended ended;
  const std::lock_guard lock(mutex_);
  host_joins(clock, ended);
}

void Timeline::stream_knows(const StreamRole& stream, const VectorClock& clock) {
  const OwnCode own;
  const std::lock_guard lock(mutex_);
  state_of(stream).clock.join(clock);
}

void Timeline::retire(const StreamRole& stream) {
  const OwnCode own;
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(stream.id);
  if (found != streams_.end()) found->second.retired = true;
}

void Timeline::watch(const std::shared_ptr<const Allocation>& memory) {
  const OwnCode own;
  const std::lock_guard lock(mutex_);
  watched_[reinterpret_cast<std::uintptr_t>(memory->begin)] = memory;
  generation.fetch_add(1, std::memory_order_relaxed);
}

void Timeline::unwatch(const void* begin) {
  const OwnCode own;
  const std::lock_guard lock(mutex_);
  watched_.erase(reinterpret_cast<std::uintptr_t>(begin));
}

/// The accesses of the host since its last call are complete: they take their place in the sequence.
void Timeline::close_segment(Ended& ended) {
  if (segment_ == nullptr) return;
  segment_->accesses = segment_accesses_.take();
  segment_->done = true;
  segment_ = nullptr;
  process(ended);
}

void Timeline::process(Ended& ended) {
  while (!sequence_.empty() && sequence_.front()->done) {
    const auto operation = std::move(sequence_.front());
    sequence_.pop_front();
    compare(operation);
    if (operation->then) ended.functions.push_back(std::move(operation->then));
    operation->then = nullptr;
  }
}

void Timeline::compare(const std::shared_ptr<Operation>& operation) {
  if (!operation->compared) return;
  for (MemoryAccesses& accesses : operation->accesses) {
    const Allocation& memory = *accesses.allocation;
    if (memory.of_tensor) continue;
    auto& uses = uses_[key_of(memory, operation->device)];
    for (auto use_at = uses.rbegin(); use_at != uses.rend(); ++use_at) {  // the latest first
      const Use& use = *use_at;
      const Operation& earlier = *use.operation;
      const bool ordered = earlier.before(*operation);
      const bool freed = earlier.kind == Operation::Kind::release;
      if (ordered && !freed) continue;
      const auto overlap = find_overlap(use.intervals, accesses.intervals, ordered ? any_use : need_order);
      if (!overlap) continue;
      reports_.add(earlier, *operation, memory, *overlap, ordered);
      break;
    }
    std::erase_if(uses, [&](const Use& use) {
      const Operation& earlier = *use.operation;
      if (earlier.kind == Operation::Kind::release) return false;
      if (earlier.time <= operation->host->of(earlier.agent)) return true;
      return earlier.agent == operation->agent && use.intervals.size() <= 1024 &&
             covers(accesses.intervals, use.intervals);
    });
    constexpr std::size_t most = 512;
    if (uses.size() >= most) uses.erase(uses.begin());
    // What is submitted later comes after accesses of the host.
    const bool release = operation->kind == Operation::Kind::release;
    if (release || operation->agent != host_agent) uses.push_back({operation, std::move(accesses.intervals)});
    if (!release) continue;
    constexpr std::size_t most_released = 4096;
    released_.push_back(key_of(memory, operation->device));
    if (released_.size() <= most_released) continue;
    uses_.erase(released_.front());
    released_.pop_front();
  }
  operation->accesses.clear();
}

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

void Timeline::remember_harmless(std::uintptr_t begin, std::uintptr_t end) const {
  HarmlessRange& range = harmless.ranges[harmless.next];
  harmless.next = (harmless.next + 1) % harmless_ranges;
  range = {generation.load(std::memory_order_relaxed), begin, end - begin};
}

void Timeline::note_host_access(const HostAccess& access) {
  if (is_harmless(access) || !active()) return;
  HostFunctionScope* const function = running_function;
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
    generation.fetch_add(1, std::memory_order_relaxed);
  } else if (const auto found = published_.find(word); found != published_.end()) {
    const VectorClock clock = found->second;
    host_joins(clock, ended);
  }
}

void Timeline::settle() {
  const OwnCode own;
  constexpr auto step = std::chrono::milliseconds(1);
  for (int i = 0; i < 2000; ++i) {
    Ended ended;
    {
      const std::lock_guard lock(mutex_);
      close_segment(ended);
      // One kernel that nothing waits for has nothing to be compared with.
      if (sequence_.size() < 2) break;
    }
    std::this_thread::sleep_for(step);
  }
}

bool Timeline::finish() {
  const OwnCode own;
  Ended ended;
  const std::lock_guard lock(mutex_);
  close_segment(ended);
  for (const auto& [id, state] : streams_) {
    const Operation* const kernel = state.last_kernel.get();
    if (kernel == nullptr || !kernel->compared || kernel->time <= host_.of(kernel->agent)) continue;
    reports_.add_unawaited(*kernel);
    break;
  }
  reports_.finish();
  return reports_.any();
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

}  // namespace d2l::emulator
