// SPDX-License-Identifier: MIT
/// @file
/// Caller: the source position of a call, so that its output can be shown beside its code.
#pragma once

namespace d2l::detail {

/// The line and file of a call; use here() as a default argument.
struct Caller {
  int line;
  const char* file;
  static constexpr Caller here(int line = __builtin_LINE(), const char* file = __builtin_FILE()) {
    return {line, file};
  }
};

}  // namespace d2l::detail
