// SPDX-License-Identifier: MIT
// What Thrust's algorithms need: they run on the host, on memory that kernels use too.
#pragma once

#include "d2l_emulator/runtime_api.h"

namespace d2l::emulator {
/// From the first call on, the host can use the memory of all devices, and waits for each kernel that it launches,
/// unless keep_host_out_of_devices() is called. Returns true.
bool let_host_use_devices();
/// The same, also if the program uses d2l::thrust_policy(): it has a device_vector, whose elements the host uses.
void require_host_use();
inline const bool host_uses_devices = let_host_use_devices();
}  // namespace d2l::emulator
