// SPDX-License-Identifier: MIT
// How large arrays can be, and which flags they can have.
#pragma once

#include "textures/array.h"

namespace d2l::emulator {

/// Failure, with its reason, if no array has this extent with these flags.
void check_extent(const cudaExtent& extent, unsigned flags, bool mipmapped);

}  // namespace d2l::emulator
