// SPDX-License-Identifier: MIT
// The count of calls in which the host waits for a device.
#pragma once

namespace d2l::emulator {

void note_blocking_call() noexcept;

}  // namespace d2l::emulator
