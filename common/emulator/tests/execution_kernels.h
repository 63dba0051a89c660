// SPDX-License-Identifier: MIT
#pragma once

#include <latch>

/// All threads meet at a barrier; then one of them waits for the other devices.
void meet_at_barrier(float* out, std::latch* others);
/// The lanes from 16 on shuffle with a mask that lacks them, while the others wait at a barrier.
void shuffle_outside_its_mask(float* out);
/// Counts the threads of each block atomically, before and after a barrier.
void count_threads(int* counts);
/// Each block adds one, and waits until all have.
void wait_for_all_blocks(int* counter);
/// Each block waits for block 17, which traps.
void wait_for_a_block_that_traps(int* counter);
/// Interrupts the process.
void interrupt();
