// SPDX-License-Identifier: MIT
// LoopMarks: which instructions of the program belong to which loop of its source, as the translator marked them.
#pragma once

#include <cstdint>
#include <vector>

namespace d2l::emulator {

/// An instruction in a loop whose body begins at `body`. See compressed_place().
struct PlaceInLoop {
  std::int32_t body;
  std::int32_t place;
};

/// All of them, in the order of `body`.
const std::vector<PlaceInLoop>& places_in_loops();

}  // namespace d2l::emulator
