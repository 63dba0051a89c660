// SPDX-License-Identifier: MIT
// A ledger's entries as a trace in Chrome's JSON format.
#pragma once

#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// A row for each GPU and for each host thread; the row of a thread has its CPU work and its waits. If `label` is
/// given, it says what the times are, and replaces the names of the devices.
std::string chrome_trace(const std::vector<LedgerEntry>& entries, const std::string& label = {});

}  // namespace d2l::detail
