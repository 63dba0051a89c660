// SPDX-License-Identifier: MIT
// The attributes of a device.
#pragma once

#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

/// Failure if there is no such attribute.
int attribute_of(cudaDeviceAttr attribute);
/// The limits of textures and surfaces, from their attributes.
void fill_texture_limits(cudaDeviceProp& to);

}  // namespace d2l::emulator
