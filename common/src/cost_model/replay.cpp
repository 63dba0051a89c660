// SPDX-License-Identifier: MIT
// How each kind of entry advances the clocks.
#include "cost_model/replay.h"

#include <algorithm>
#include <cmath>

#include "cost_model/durations.h"

namespace d2l {

namespace detail {
namespace {

using Kind = LedgerEntry::Kind;

/// The driver copies up to this many bytes of pageable memory to a buffer and returns; for more, the host waits (CUDA
/// Programming Guide, "Asynchronous Concurrent Execution").
constexpr std::int64_t buffered_bytes = std::int64_t{64} << 10;

std::int64_t nanoseconds(double seconds) { return std::llround(std::min(seconds * 1e9, 9e18)); }

}  // namespace

Moment Replay::take(const LedgerEntry& entry) {
  // The ledger gives the order of issue. A new thread was started by a thread that had issued all earlier entries.
  double& host = threads_[entry.thread];
  host = std::max(host, latest_issue_);
  const double issued = host;
  latest_issue_ = issued;
  const bool on_host = entry.queue.is_cpu();
  Moment moment;
  switch (entry.kind) {
    case Kind::launch:
      moment = on_host ? compute_on_host(host, launch_seconds(entry, card_))
                       : in_queue(entry.queue, issued, host, launch_seconds(entry, card_));
      break;
    case Kind::copy:
      moment = on_host ? compute_on_host(host, copy_seconds(entry, card_)) : copy(entry, host);
      break;
    case Kind::synchronisation:
      moment = on_host ? Moment{issued} : wait_on_host(entry, host);
      break;
    case Kind::event_record:
      host += card_.host.call;
      if (!on_host) events_[entry.event] = queue_of(entry.queue);
      moment = {issued};
      break;
    case Kind::event_wait:
      moment = wait_in_queue(entry, issued, host);
      break;
    case Kind::allocation:
    case Kind::release:
      if (!on_host) host += card_.host.call;
      moment = {issued};
      break;
  }
  finished_ = std::max({finished_, host, moment.ended});
  return moment;
}

Moment Replay::compute_on_host(double& host, double seconds) const {
  const double began = host;
  host += seconds;
  return {began, began, host, true};
}

Moment Replay::in_queue(Device queue, double issued, double& host, double seconds) {
  host += card_.host.issue;
  double& free = queue_of(queue);
  const double began = std::max(free, host);
  free = began + seconds;
  return {issued, began, free, true};
}

Moment Replay::copy(const LedgerEntry& entry, double& host) {
  const auto moment = in_queue(entry.queue, host, host, copy_seconds(entry, card_));
  if (is_pageable(entry) && entry.source.is_cpu()) {
    if (entry.bytes > buffered_bytes) {
      host = std::max(host, moment.ended) + card_.host.wait;
    } else {
      host += static_cast<double>(entry.bytes) / card_.host.pageable_bandwidth;
    }
  }
  return moment;
}

Moment Replay::wait_on_host(const LedgerEntry& entry, double& host) {
  const double began = host;
  host = std::max(host, marked(entry, entry.queue)) + card_.host.wait;
  return {began, began, host, true};
}

Moment Replay::wait_in_queue(const LedgerEntry& entry, double issued, double& host) {
  host += card_.host.call;
  if (entry.queue.is_cpu()) return {issued};
  double& free = queue_of(entry.queue);
  const double until = marked(entry, entry.source);
  const double began = std::max(free, host);
  free = std::max(free, until);
  return {issued, began, until, until > began};
}

/// When the work is done for which an entry waits: an event, or all work of `queue` so far if there is no event.
double Replay::marked(const LedgerEntry& entry, Device queue) {
  if (entry.event == 0) return queue.is_cpu() ? 0 : queue_of(queue);
  const auto event = events_.find(entry.event);
  return event == events_.end() ? 0 : event->second;
}

}  // namespace detail

Modelled replay(const std::vector<LedgerEntry>& entries, const Card& card) {
  detail::check_card(card);
  Modelled modelled{card, 0, entries};
  detail::Replay replay(card);
  for (std::size_t place = 0; place < entries.size(); ++place) {
    auto& entry = modelled.timeline[place];
    detail::check_entry(entry, place);
    const auto moment = replay.take(entry);
    entry.issued = detail::nanoseconds(moment.issued);
    entry.began = moment.ran ? detail::nanoseconds(moment.began) : -1;
    entry.ended = moment.ran ? detail::nanoseconds(moment.ended) : -1;
  }
  modelled.seconds = replay.seconds();
  return modelled;
}

Modelled replay(const TransferLedger& ledger, const Card& card) { return replay(ledger.entries(), card); }

}  // namespace d2l
