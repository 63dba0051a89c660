// SPDX-License-Identifier: MIT
// threadIdx and its kin: variables of the worker thread that the scheduler sets before a thread of a kernel goes on.
#pragma once

#include "d2l_emulator/vector_types.h"

// Constant for the compiler, since they never change during one thread's call of the kernel.
extern __thread const uint3 threadIdx asm("d2l_emulator_thread_index");
extern __thread const uint3 blockIdx asm("d2l_emulator_block_index");
extern __thread const dim3 blockDim asm("d2l_emulator_block_size");
extern __thread const dim3 gridDim asm("d2l_emulator_grid_size");
inline constexpr int warpSize = 32;
