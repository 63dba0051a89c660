// SPDX-License-Identifier: MIT
// For tests of the cost model: a card of round numbers, and entries by hand.
#pragma once

#include <string>
#include <vector>

#include "d2l/cost_model.h"

namespace d2l::testing {

using Kind = LedgerEntry::Kind;

/// A card with round numbers: all latencies are whole or half milliseconds, and 1000 operations or bytes of its own
/// memory take a microsecond.
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

inline LedgerEntry entry_of(Kind kind, Device queue) { return {.kind = kind, .name = "by hand", .queue = queue}; }

inline LedgerEntry launch_of(Device queue, std::int64_t bytes, std::int64_t flops = 0) {
  return {.kind = Kind::launch, .name = "by hand", .queue = queue, .bytes = bytes, .flops = flops};
}

inline LedgerEntry product_of(Device queue, std::int64_t n, ScalarType dtype = kFloat) {
  auto entry = launch_of(queue, 3 * n * n * 4, 2 * n * n * n);
  entry.outputs = n * n;
  entry.dtype = dtype;
  return entry;
}

inline LedgerEntry copy_of(Device source, Device destination, std::int64_t bytes, bool pageable = false) {
  return {.kind = Kind::copy,
          .name = "by hand",
          .queue = source.is_cuda() ? source : destination,
          .source = source,
          .destination = destination,
          .bytes = bytes,
          .staged = pageable};
}

inline LedgerEntry wait_for(Device device) { return entry_of(Kind::synchronisation, device); }

inline LedgerEntry of_event(Kind kind, Device queue, std::uint64_t event) {
  return {.kind = kind, .name = "by hand", .queue = queue, .event = event};
}

inline const std::vector<LedgerEntry> nothing;

inline double seconds_on(const Card& card, const std::vector<LedgerEntry>& entries) {
  return replay(entries, card).seconds;
}
inline double milliseconds(const std::vector<LedgerEntry>& entries) { return seconds_on(round_card(), entries) * 1e3; }

}  // namespace d2l::testing
