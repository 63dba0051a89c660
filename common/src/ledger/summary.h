// SPDX-License-Identifier: MIT
// A ledger's entries as text.
#pragma once

#include <string>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// The direction of a copy.
Direction direction_of(const LedgerEntry& copy);
/// One line for each kind of entry, copies first; "nothing" if there are no entries.
std::string summarise(const std::vector<LedgerEntry>& entries);

}  // namespace d2l::detail
