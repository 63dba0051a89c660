// SPDX-License-Identifier: MIT
#pragma once

#include <latch>

/// All threads meet at a barrier; then one of them waits for the other devices.
void meet_at_barrier(float* out, std::latch* others);
/// The lanes from 16 on shuffle with a mask that lacks them, while the others wait at a barrier.
void shuffle_outside_its_mask(float* out);
/// Interrupts the process.
void interrupt();
