// SPDX-License-Identifier: MIT
// access_memory(): where the instrumentation's hooks and the atomic functions tell of an access.
#pragma once

#include <cstddef>

namespace d2l::emulator {

/// The accesses in parts are of a structure, whose members may need less alignment than its size, or of bytes that a
/// function copies. There may be unused bytes among them.
enum class AccessKind {
  read_bytes,
  write_bytes,
  read_parts,
  write_parts,
  read,
  write,
  volatile_read,
  volatile_write,
  atomic
};

inline bool writes(AccessKind kind) {
  return kind == AccessKind::write || kind == AccessKind::write_parts || kind == AccessKind::write_bytes ||
         kind == AccessKind::volatile_write || kind == AccessKind::atomic;
}
inline bool in_parts(AccessKind kind) { return kind <= AccessKind::write_parts; }

/// Checks and counts an access of the running thread, before it happens; `caller` is the place in the code.
void access_memory(const void* address, std::size_t bytes, AccessKind kind, const void* caller);

}  // namespace d2l::emulator
