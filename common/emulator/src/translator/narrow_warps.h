// SPDX-License-Identifier: MIT
// Places in a CUDA program that are right for warps of 32 lanes only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::emulator::translator {

/// A place that takes for granted that a warp has 32 lanes, and how: "the mask 0xffffffff has 32 lanes".
struct NarrowPlace {
  int line = 0;
  std::string what;
};

/// The places in a source, by line. They are found by the form of the code, so some are missed.
std::vector<NarrowPlace> places_for_32_lanes(std::string_view source);

}  // namespace d2l::emulator::translator
