// SPDX-License-Identifier: MIT
// The boxes of cudaMemcpy3D, in arrays and in memory with a pitch.
#pragma once

#include <cstddef>

#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

/// One end of a copy of a box.
struct BoxEnd {
  std::byte* begin;
  std::size_t pitch;
  std::size_t plane;  ///< bytes from plane to plane
};
/// Failure, with its reason, if there is not one of the two, or if the array does not contain the box.
BoxEnd end_of_box(cudaArray_t array, const cudaPitchedPtr& memory, const cudaPos& at, const cudaExtent& elements);

/// The bytes in which the width of a box counts: those of an element of the arrays that take part in the copy, or 1.
std::size_t unit_of_box(const cudaMemcpy3DParms& box);

}  // namespace d2l::emulator
