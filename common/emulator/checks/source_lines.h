// SPDX-License-Identifier: MIT
// source_line(): the source line of an instruction, from the program's debug information.
#pragma once

#include <string>

namespace d2l::emulator {

struct SourceLine {
  std::string file;  ///< without its folder; the program's name if there is no debug information
  int line = 0;
  std::string position;  ///< "+0x1234" in the program, used if there is no line
  [[nodiscard]] std::string text() const;
};

/// The line of the call that returns to this address; remembered.
const SourceLine& source_line(const void* return_address);

}  // namespace d2l::emulator
