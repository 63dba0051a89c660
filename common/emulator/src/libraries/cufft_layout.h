// SPDX-License-Identifier: MIT
// Where the numbers of a plan of cuFFT are, and its transforms.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "cufft.h"
#include "libraries/library_work.h"

namespace d2l::emulator {

/// The sizes of up to three dimensions; the last is the fastest, and those that are missing are 1.
using FftSizes = std::array<std::size_t, 3>;

/// Where the numbers of one side are, in numbers of this side.
struct FftLayout {
  FftSizes sizes;     ///< of the numbers that there are
  FftSizes embedded;  ///< of the memory
  std::size_t stride = 1;
  std::size_t distance = 0;  ///< from transform to transform

  [[nodiscard]] std::size_t place(std::size_t x, std::size_t y, std::size_t z) const {
    return ((x * embedded[1] + y) * embedded[2] + z) * stride;
  }
  /// Numbers one after another, whose rows have this length.
  static FftLayout dense(const FftSizes& sizes, std::size_t row);
};

/// The memory that `batch` transforms use.
LibraryMemory memory_of(const void* begin, const FftLayout& layout, std::size_t batch, std::size_t number_bytes,
                        LibraryUse use);

/// Transforms that are the same but for their data.
struct FftTransforms {
  FftSizes sizes;
  std::size_t batch;
  FftLayout in;
  FftLayout out;
  bool inverse;

  /// Real is float or double. The numbers of one side may be real; those of the other side are the first half of each
  /// row then.
  template <class Real>
  void complex_to_complex(const Real* from, Real* to) const;
  template <class Real>
  void real_to_complex(const Real* from, Real* to) const;
  template <class Real>
  void complex_to_real(const Real* from, Real* to) const;
};

}  // namespace d2l::emulator
