// SPDX-License-Identifier: MIT
// What a ledger's entries look like to a reader: lines of text, and a trace.
#pragma once

#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// The direction of a copy.
Direction direction_of(const LedgerEntry& copy);
/// A line for each kind of entry that there is, most telling first; "nothing" when there is none.
std::string summarise(const std::vector<LedgerEntry>& entries);
/// Chrome's trace format: a row for each GPU and for each host thread, with what the CPU computed or waited for on it.
/// `label`, if there is one, says what the times are, in the place of the names of devices.
std::string chrome_trace(const std::vector<LedgerEntry>& entries, const std::string& label = {});
/// Writes a file whole or not at all; ConfigurationError, with `operation`, path and reason, when it cannot.
void write_file(const char* operation, const std::string& path, const std::string& text);

}  // namespace d2l::detail
