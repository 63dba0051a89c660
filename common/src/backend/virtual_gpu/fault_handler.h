// SPDX-License-Identifier: MIT
// The last words of a process whose host code touched device memory.
#pragma once

#include <cstddef>

namespace d2l::backend {

/// From now on a fault in these addresses is explained on the standard error before the process dies of it; returns the
/// number to give to unguard_addresses, -1 when there is no room for more.
int guard_addresses(int device, const void* begin, std::size_t bytes);
void unguard_addresses(int slot) noexcept;

}  // namespace d2l::backend
