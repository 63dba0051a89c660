// SPDX-License-Identifier: MIT
// access_memory(): where the instrumentation's hooks and the atomic functions tell of an access.
#pragma once

#include <cstddef>

namespace d2l::emulator {

/// read_parts and write_parts are of a structure or of bytes: its members may need less alignment than its size, and
/// there may be unused bytes between them.
enum class AccessKind { read_parts, write_parts, read, write, volatile_read, volatile_write, atomic };

inline bool writes(AccessKind kind) {
  return kind == AccessKind::write || kind == AccessKind::write_parts || kind == AccessKind::volatile_write ||
         kind == AccessKind::atomic;
}
inline bool in_parts(AccessKind kind) { return kind <= AccessKind::write_parts; }

/// Checks and counts an access of the running thread, before it happens; `caller` is the place in the code.
void access_memory(const void* address, std::size_t bytes, AccessKind kind, const void* caller);

}  // namespace d2l::emulator
