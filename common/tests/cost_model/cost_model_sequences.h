// SPDX-License-Identifier: MIT
// For tests of the cost model: a card of round numbers, and entries by hand.
#pragma once

#include <string>
#include <vector>

#include "d2l/cost_model.h"

namespace d2l::testing {

using Kind = LedgerEntry::Kind;

/// A card whose sums can be done in the head: all latencies are whole or half milliseconds, and 1000 operations or
/// bytes of its own memory take a microsecond.
inline Card round_card() {
  Card card;
  card.name = "round card";
  card.processor = {10, 2, 1e9, 0.5e9, 1e9};
  card.launch_latency = 4e-3;
  card.to_device = {2e-3, 1e6};
  card.to_host = {3e-3, 0.5e6};
  card.peer = {1e-3, 2e6};
  card.host = {"round host", {2, 1, 1e8, 0.5e8, 1e8}, 1e-3, 0.5e-3, 2e-3, 0.25e6};
  return card;
}

inline LedgerEntry entry_of(Kind kind, Device queue, const std::string& name = "by hand") {
  LedgerEntry entry;
  entry.kind = kind;
  entry.name = name;
  entry.queue = queue;
  return entry;
}

inline LedgerEntry launch_of(Device queue, std::int64_t bytes, std::int64_t flops = 0) {
  auto entry = entry_of(Kind::launch, queue);
  entry.bytes = bytes;
  entry.flops = flops;
  return entry;
}

inline LedgerEntry product_of(Device queue, std::int64_t n, ScalarType dtype = kFloat) {
  auto entry = launch_of(queue, 3 * n * n * 4, 2 * n * n * n);
  entry.outputs = n * n;
  entry.dtype = dtype;
  return entry;
}

inline LedgerEntry copy_of(Device source, Device destination, std::int64_t bytes, bool pageable = false) {
  auto entry = entry_of(Kind::copy, source.is_cuda() ? source : destination);
  entry.source = source;
  entry.destination = destination;
  entry.bytes = bytes;
  entry.staged = pageable;
  return entry;
}

inline LedgerEntry wait_for(Device device) { return entry_of(Kind::synchronisation, device); }

inline LedgerEntry of_event(Kind kind, Device queue, std::uint64_t event) {
  auto entry = entry_of(kind, queue);
  entry.event = event;
  return entry;
}

inline const std::vector<LedgerEntry> nothing;

inline double seconds_on(const Card& card, const std::vector<LedgerEntry>& entries) {
  return replay(entries, card).seconds;
}
inline double milliseconds(const std::vector<LedgerEntry>& entries) { return seconds_on(round_card(), entries) * 1e3; }

}  // namespace d2l::testing
