// SPDX-License-Identifier: MIT
// inlined_calls(): the calls that the compiler has replaced by the code of their function.
#pragma once

#include <string>
#include <vector>

#include "checks/source_lines.h"

namespace d2l::emulator {

struct InlinedCall {
  SourceLine line;
  std::string function;  ///< that has this line: "scale(float*, int)"
};

/// For each return address the calls that are inlined there, the innermost first, and at the end the line in the
/// function itself. All are empty if `addr2line` is missing. Remembered.
std::vector<std::vector<InlinedCall>> inlined_calls(const std::vector<const void*>& return_addresses);

}  // namespace d2l::emulator
