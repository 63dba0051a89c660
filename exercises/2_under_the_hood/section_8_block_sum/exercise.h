// SPDX-License-Identifier: MIT
// # A sum of blocks
//
// Section 2.8 adds up the elements of one block. Write the sum of a whole tensor, in
// one launch.
//
// Given: `x`, a contiguous float32 tensor of `n` elements on a GPU; `n` is 0 or more.
// What must hold:
//
// - The result is a new float32 tensor without dimensions, on the device of `x`: the
//   sum of all elements, 0 if there are none. For positive elements, its relative error
//   is at most 1e-5. `x` does not change.
// - One launch of a kernel of yours computes it; if `n` is 0 there may be none. The
//   library may only fill a tensor, as `zeros` does. There are at most 64 blocks, and
//   no more than n divided by the threads of a block, rounded up: no block is without
//   an element. From 65536 elements on, there are at least 16.
// - Each element is read once, and neighbouring lanes read neighbouring elements: at
//   most n / 32 + 8 load requests and n / 8 + 8 sectors, both rounded up, and 4 * n
//   bytes.
// - A block executes at most one barrier, and adds to global memory with at most one
//   atomic. So the threads of a warp must pass their sums to each other by shuffles.
//   Shared memory is accessed at most once by each warp, and then by one warp of each
//   block, once for each of its other warps.
//
// The check runs the function with n = 0, 1, 31, 33, 1000, 1024, about 100,000 and
// about a million elements, also with negative elements, and with elements of either
// sign whose sums are exact. It compares the results with sums in float64, and takes
// the rest from the emulator's counts. Races, reads of shared memory that was never
// written, shuffles with a lane that has ended, and refused launches fail the call.
#pragma once

#include "d2l/d2l.h"

/// The sum of all elements of `x`.
d2l::Tensor sum_of(const d2l::Tensor& x);
