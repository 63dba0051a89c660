// SPDX-License-Identifier: MIT
#pragma once

#include <latch>

/// All threads meet at a barrier; then one of them waits for the other devices.
void meet_at_barrier(float* out, std::latch* others);
/// Interrupts the process.
void interrupt();
