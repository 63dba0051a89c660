// SPDX-License-Identifier: MIT
// The memory of a device over the time of a ledger.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/transfers.h"

namespace d2l::detail {

/// The points of a device whose tensors had `before` bytes when the ledger began, from entries in the order of issue.
std::vector<MemoryPoint> memory_points(const std::vector<LedgerEntry>& entries, Device device, std::int64_t before);

}  // namespace d2l::detail
