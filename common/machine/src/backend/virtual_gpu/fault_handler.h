// SPDX-License-Identifier: MIT
// Explains a fault of host code in device memory before the process ends.
#pragma once

#include <cstddef>

namespace d2l::backend {

/// From now on a fault in these addresses is explained on standard error before it ends the process. Returns the slot
/// for unguard_addresses(); -1 if all slots are taken.
int guard_addresses(int device, const void* begin, std::size_t bytes);
void unguard_addresses(int slot) noexcept;

}  // namespace d2l::backend
