// SPDX-License-Identifier: MIT
// What Thrust's algorithms need: they run on the host, on memory that kernels use too.
#pragma once

#include "d2l_emulator/runtime_api.h"

namespace d2l::emulator {
/// From the first call on, the host can use the memory of all devices, and waits for each kernel that it launches.
/// Returns true.
bool let_host_use_devices();
inline const bool host_uses_devices = let_host_use_devices();
}  // namespace d2l::emulator
