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
#include "report/report.h"

namespace d2l::emulator {

std::atomic<bool> host_is_watched{false};
std::atomic<std::uint64_t> host_generation{1};

namespace {

std::shared_ptr<const Allocation> all_pageable() {
  auto all = std::make_shared<Allocation>();
  all->bytes = std::numeric_limits<std::size_t>::max();
  all->kind = MemoryKind::pinned;
  return all;
}

}  // namespace

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
  watch_host();
  host_generation.fetch_add(1, std::memory_order_relaxed);
}

void Timeline::watch_host() {
  host_is_watched = in_flight_ && (uses_host_functions_ || !watched_.empty() || !pageable_uses_.empty());
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
  what.of_graph = stream.of_graph;
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
  uses_host_functions_ |= operation->kind == Operation::Kind::host_function;
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
  watch_host();
  host_generation.fetch_add(1, std::memory_order_relaxed);
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
    if (device_lost_ || kernel == nullptr || !kernel->compared || kernel->time <= host_.of(kernel->agent)) continue;
    reports_.add_unawaited(*kernel);
    break;
  }
  reports_.finish();
  return reports_.any();
}

}  // namespace d2l::emulator
