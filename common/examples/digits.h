// SPDX-License-Identifier: MIT
/// @file
/// Images of digits, which the program draws itself: each run has the same ones, without a file.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"

namespace d2l::examples {

/// How digits are drawn.
struct DigitOptions {
  std::int64_t size = 28;     ///< pixels of an edge
  std::int64_t channels = 1;  ///< 1 for white on black, 3 for bright on dark in random colours
  double noise = 0.1;         ///< the standard deviation of what is added to each pixel
};

/// Draws `count` digits with random places, sizes, slants, widths of the pen and noise: images (count, channels, size,
/// size), float32 in [0, 1], and labels (count), int64. Image i has the label i % 10 and depends on `seed`, i and the
/// options alone. ShapeError for a negative size.
TensorDataset draw_digits(std::int64_t count, std::uint64_t seed, const DigitOptions& options = {});

}  // namespace d2l::examples
