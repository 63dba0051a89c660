// SPDX-License-Identifier: MIT
// What the instrumentation's hooks call for accesses of the host's code.
#pragma once

#include <atomic>
#include <cstddef>

#include "checks/access.h"

namespace d2l::emulator {

/// True while work is in flight that such accesses may be out of order with.
extern std::atomic<bool> host_is_watched;
/// To be called if host_is_watched; `caller` is the place in the code.
void watch_host_access(const void* address, std::size_t bytes, AccessKind kind, const void* caller);
/// The same for memory of the heap that the host frees.
void watch_host_free(void* memory, const void* caller);

}  // namespace d2l::emulator
