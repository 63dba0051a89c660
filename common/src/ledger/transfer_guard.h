// SPDX-License-Identifier: MIT
// The check of implicit copies against the thread's TransferGuard.
#pragma once

#include <cstdint>

#include "d2l/transfers.h"

namespace d2l::detail {

/// Applies the TransferGuard of this thread to an implicit copy before it is made; TransferError if it is refused.
void check_implicit_copy(const char* operation, Device from, Device to, std::int64_t bytes);

}  // namespace d2l::detail
