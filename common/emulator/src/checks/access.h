// SPDX-License-Identifier: MIT
// access_memory(): where the instrumentation's hooks and the atomic functions tell of an access.
#pragma once

#include <cstddef>

namespace d2l::emulator {

/// The accesses in parts are of a structure, whose members may need less alignment than its size, or of bytes that a
/// function copies. There may be unused bytes among them. An atomic_guess changes the memory only if its value is the
/// expected one, or below or above another: a plain read may have told the thread that value.
enum class AccessKind {
  read_bytes,
  write_bytes,
  read_parts,
  write_parts,
  read,
  write,
  volatile_read,
  volatile_write,
  atomic,
  atomic_guess
};

inline bool is_atomic(AccessKind kind) { return kind >= AccessKind::atomic; }
inline bool is_volatile(AccessKind kind) {
  return kind == AccessKind::volatile_read || kind == AccessKind::volatile_write;
}

inline bool writes(AccessKind kind) {
  return kind == AccessKind::write || kind == AccessKind::write_parts || kind == AccessKind::write_bytes ||
         kind == AccessKind::volatile_write || is_atomic(kind);
}
inline bool in_parts(AccessKind kind) { return kind <= AccessKind::write_parts; }

/// Checks and counts an access of the running thread, before it happens; `caller` is the place in the code.
void access_memory(const void* address, std::size_t bytes, AccessKind kind, const void* caller);

}  // namespace d2l::emulator
