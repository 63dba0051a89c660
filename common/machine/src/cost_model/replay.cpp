// SPDX-License-Identifier: MIT
// Replay: simulates the clocks of host threads and queues, entry by entry; and the matrix product, replayed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cost_model/durations.h"
#include "d2l/error.h"

namespace d2l {

namespace detail {
namespace {

using Kind = LedgerEntry::Kind;

/// The driver copies up to this many bytes of pageable memory to a buffer and returns; for more, the host waits (CUDA
/// Programming Guide, "Asynchronous Concurrent Execution").
constexpr std::int64_t buffered_bytes = std::int64_t{64} << 10;

std::int64_t nanoseconds(double seconds) { return std::llround(std::min(seconds * 1e9, 9e18)); }

/// When an entry was issued and when it ran, in seconds since the first entry; `ran` is false if it takes no time.
struct Moment {
  double issued = 0;
  double began = 0;
  double ended = 0;
  bool ran = false;
};

/// Takes entries in the order of issue, and returns when each would run.
class Replay {
 public:
  explicit Replay(const Card& card) : card_(card) {}

  Moment take(const LedgerEntry& entry) {
    // The ledger gives the order of issue. A new thread was started by a thread that had issued all earlier entries.
    double& host = threads_[entry.thread];
    host = std::max(host, latest_issue_);
    const double issued = host;
    latest_issue_ = issued;
    const bool on_host = entry.queue.is_cpu();
    Moment moment;
    switch (entry.kind) {
      case Kind::launch:
        moment = on_host          ? compute_on_host(host, launch_seconds(entry, card_))
                 : entry.captured ? after_replay(entry, issued, host)
                                  : in_queue(entry.queue, issued, host, launch_seconds(entry, card_));
        break;
      case Kind::replay:
        host += card_.host.issue;
        moment = {issued};
        break;
      case Kind::range_push:
      case Kind::range_pop:
        moment = {issued};
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
      case Kind::send:
        host += card_.host.issue;
        moment = over_network(entry, issued, host, sent_);
        break;
      case Kind::receive:
        moment = over_network(entry, issued, host, received_);
        host = moment.ended;
        break;
    }
    finished_ = std::max({finished_, host, moment.ended});
    return moment;
  }
  /// When the host and all queues have finished all entries so far.
  [[nodiscard]] double seconds() const noexcept { return finished_; }

 private:
  Moment compute_on_host(double& host, double seconds) const {
    const double began = host;
    host += seconds;
    return {began, began, host, true};
  }
  Moment copy(const LedgerEntry& entry, double& host) {
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
  Moment in_queue(Device queue, double issued, double& host, double seconds) {
    host += card_.host.issue;
    double& free = queue_of(queue);
    const double began = std::max(free, host);
    free = began + seconds;
    return {issued, began, free, true};
  }
  /// A launch of a graph: the host has submitted it with the others.
  Moment after_replay(const LedgerEntry& entry, double issued, double host) {
    double& free = queue_of(entry.queue);
    const double began = std::max(free, host);
    free = began + launch_seconds(entry, card_);
    return {issued, began, free, true};
  }
  Moment wait_on_host(const LedgerEntry& entry, double& host) {
    const double began = host;
    host = std::max(host, marked(entry, entry.queue)) + card_.host.wait;
    return {began, began, host, true};
  }
  Moment wait_in_queue(const LedgerEntry& entry, double issued, double& host) {
    host += card_.host.call;
    if (entry.queue.is_cpu()) return {issued};
    double& free = queue_of(entry.queue);
    const double until = marked(entry, entry.source);
    const double began = std::max(free, host);
    free = std::max(free, until);
    return {issued, began, until, until > began};
  }
  Moment over_network(const LedgerEntry& entry, double issued, double host, double& free) const {
    const double began = std::max(free, host);
    free = began + card_.network.latency + static_cast<double>(entry.bytes) / (card_.network.bandwidth * card_.reached);
    return {issued, began, free, true};
  }
  double& queue_of(Device device) { return queues_[device.index()]; }
  /// When the work is done for which an entry waits: an event, or all work of `queue` so far if there is no event.
  double marked(const LedgerEntry& entry, Device queue) {
    if (entry.event == 0) return queue.is_cpu() ? 0 : queue_of(queue);
    const auto event = events_.find(entry.event);
    return event == events_.end() ? 0 : event->second;
  }

  const Card& card_;
  std::map<std::uint64_t, double> threads_;  // when each host thread is free
  std::map<int, double> queues_;             // when each queue is free
  std::map<std::uint64_t, double> events_;   // when the work before each event is done
  double sent_ = 0;                          // when the network is free to send
  double received_ = 0;                      // and to receive
  double latest_issue_ = 0;
  double finished_ = 0;
};

}  // namespace
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

// The size from which a card's matrix product is faster than its host's.

namespace {

constexpr std::int64_t largest = 16384;

LedgerEntry product(Device device, std::int64_t n, ScalarType dtype) {
  return {.kind = LedgerEntry::Kind::launch,
          .name = "matmul",
          .queue = device,
          .bytes = 3 * n * n * static_cast<std::int64_t>(elementSize(dtype)),
          .flops = 2 * n * n * n,
          .dtype = dtype,
          .outputs = n * n};
}

double seconds_of(const Card& card, Device device, std::int64_t n, ScalarType dtype) {
  detail::Replay replay(card);
  auto entry = product(device, n, dtype);
  replay.take(entry);
  entry.kind = LedgerEntry::Kind::synchronisation;
  replay.take(entry);
  return replay.seconds();
}

}  // namespace

double product_seconds(const Card& card, Device device, std::int64_t n, ScalarType dtype) {
  detail::check_card(card);
  constexpr std::int64_t most = 1'000'000;  // 2n³ fits in 64 bits
  if (n < 1 || n > most) {
    throw ValueError(fmt::format("[product_seconds] n is {}, but must be from 1 to {}", n, most));
  }
  return seconds_of(card, device, n, dtype);
}

std::optional<std::int64_t> crossover(const Card& card, ScalarType dtype) {
  detail::check_card(card);
  for (std::int64_t n = 1; n <= largest; ++n) {
    if (seconds_of(card, gpu(0), n, dtype) < seconds_of(card, cpu(), n, dtype)) return n;
  }
  return std::nullopt;
}

}  // namespace d2l
