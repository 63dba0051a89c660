// SPDX-License-Identifier: MIT
// loop_around(): the loop of a source file in which a line is.
#pragma once

#include <optional>
#include <string>

namespace d2l::emulator::watchdog {

/// Lines, counted from 1.
struct SourceLoop {
  int first;  ///< where for, while or do is
  int last;
};
/// The innermost loop that contains the lines from `first` to `last`; none if there is no such loop. Reads C++ without
/// the preprocessor.
std::optional<SourceLoop> loop_around(const std::string& source, int first, int last);

}  // namespace d2l::emulator::watchdog
