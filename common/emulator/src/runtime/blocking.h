// SPDX-License-Identifier: MIT
// The counts of calls: those in which the host waits for a device, launches, and allocations.
#pragma once

namespace d2l::emulator {

void note_blocking_call() noexcept;
void note_launch() noexcept;
void note_pool_allocation() noexcept;
void note_pinned_allocation() noexcept;

}  // namespace d2l::emulator
