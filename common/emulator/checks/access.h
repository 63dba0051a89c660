// SPDX-License-Identifier: MIT
// access_memory(): where the instrumentation's hooks and the atomic functions tell of an access.
#pragma once

#include <cstddef>

namespace d2l::emulator {

enum class AccessKind { read, write, volatile_read, volatile_write, atomic };

inline bool writes(AccessKind kind) {
  return kind == AccessKind::write || kind == AccessKind::volatile_write || kind == AccessKind::atomic;
}

/// Checks and counts an access of the running thread, before it happens; `caller` is the place in the code.
void access_memory(const void* address, std::size_t bytes, AccessKind kind, const void* caller);

}  // namespace d2l::emulator
