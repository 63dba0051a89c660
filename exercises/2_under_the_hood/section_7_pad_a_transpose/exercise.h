// SPDX-License-Identifier: MIT
// # A transpose without conflicts
//
// A transpose reads rows and writes columns, so one of the two cannot coalesce, unless
// the block transposes a tile in shared memory. Then the columns of the tile are read,
// and section 2.7 shows what that costs. Write the transpose for any size.
//
// Given: `x`, a contiguous float32 matrix on a GPU with at least one row and one
// column. What must hold:
//
// - The result is a new contiguous float32 matrix on the device of `x`: its transpose,
//   exactly. `x` does not change.
// - One launch of a kernel of yours computes it. The library may only fill a tensor, as
//   `zeros` does.
// - Global memory: with R rows and C columns, at most R * (C / 32) load requests and
//   C * (R / 32) store requests, the quotients rounded up. A request touches at most 5
//   sectors on average; 4 if R and C are multiples of 32.
// - Each access to shared memory takes one pass.
// - A block executes at most one barrier.
//
// The check runs the function with one row and with one column of 66,000 to 67,000
// elements, with 32 or 64 rows of 96 or 128 columns, and with sizes up to 319 × 319,
// most of which are not multiples of 32. The rest is taken from the emulator's counts.
// A race, a read of shared memory that was never written, and an access out of bounds
// fail the call.
#pragma once

#include "d2l/d2l.h"

/// The transpose of `x`, in memory of its own.
d2l::Tensor transposed(const d2l::Tensor& x);
