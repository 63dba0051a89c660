// SPDX-License-Identifier: MIT
// Which elements a coordinate means, and with which weights: the formulas of the programming guide.
#pragma once

#include <cstdint>

#include "d2l_emulator/textures/types.h"

namespace d2l::emulator {

/// How a texture addresses one dimension.
struct Addressing {
  cudaTextureAddressMode mode = cudaAddressModeClamp;
  bool normalized = false;
};

/// The elements of one dimension.
struct Elements {
  static constexpr std::int64_t border = -1;  ///< the place of an element that has the colour of the border

  std::int64_t places[2] = {0, 0};
  float weights[2] = {1, 0};  ///< multiples of 1 / 256
};

/// The place of element `place`, which may be outside of [0, length).
std::int64_t addressed(std::int64_t place, std::int64_t length, const Addressing& addressing);
/// Without filtering.
Elements nearest_element(float coordinate, std::int64_t length, const Addressing& addressing);
/// The two elements between which the coordinate is, also where a weight is 0.
Elements filtered_elements(float coordinate, std::int64_t length, const Addressing& addressing);

}  // namespace d2l::emulator
