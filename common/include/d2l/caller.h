// SPDX-License-Identifier: MIT
/// @file
/// Caller: where a call stands in the source, so that what it shows can stand beside its code.
#pragma once

namespace d2l::detail {

/// The line and file of a call, taken where a default argument is evaluated.
struct Caller {
  int line;
  const char* file;
  static constexpr Caller here(int line = __builtin_LINE(), const char* file = __builtin_FILE()) {
    return {line, file};
  }
};

}  // namespace d2l::detail
