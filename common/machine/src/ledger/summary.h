// SPDX-License-Identifier: MIT
// The entries of a ledger: conditions for counting them, and their text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// The direction of a copy.
Direction direction_of(const LedgerEntry& copy);
/// Whether an entry is a copy from one device to another.
inline bool crosses_devices(const LedgerEntry& entry) {
  return entry.kind == LedgerEntry::Kind::copy && !(entry.source == entry.destination);
}
/// The condition that an entry is of this kind.
inline auto of_kind(LedgerEntry::Kind kind) {
  return [kind](const LedgerEntry& entry) { return entry.kind == kind; };
}
/// The condition that an entry is a copy in this direction.
inline auto in_direction(Direction direction) {
  return [direction](const LedgerEntry& entry) {
    return entry.kind == LedgerEntry::Kind::copy && direction_of(entry) == direction;
  };
}
/// One line for each kind of entry, copies first; "nothing" if there are no entries.
std::string summarise(const std::vector<LedgerEntry>& entries);
/// A trace in Chrome's JSON format: a row for each GPU and for each host thread; the row of a thread has its CPU work
/// and its waits. If `label` is given, it says what the times are, and replaces the names of the devices.
std::string chrome_trace(const std::vector<LedgerEntry>& entries, const std::string& label = {},
                         const std::function<std::vector<MemoryPoint>(Device)>& memory = nullptr);

}  // namespace d2l::detail
