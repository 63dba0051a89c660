// SPDX-License-Identifier: MIT
// The timeline of ledger entries: its picture and its description.
#pragma once

#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// An SVG picture: a row for each host thread, then for each GPU.
std::string draw_timeline(const std::vector<LedgerEntry>& entries, const std::string& label);
/// A description: the label, the whole time, and for each row the number and time of each kind.
std::string describe_timeline(const std::vector<LedgerEntry>& entries, const std::string& label);
/// The label for measured entries: "measured", or "host threads, not a GPU".
std::string label_of_measured(const std::vector<LedgerEntry>& entries);

}  // namespace d2l::detail
