// SPDX-License-Identifier: MIT
// # A tiled product
//
// In a product of matrices each element of A is used for each column of the result.
// Section 2.5 shows what it costs to read it from global memory each time, and how
// tiles in shared memory divide this cost by their width. The lesson's matrices are
// multiples of the tile. Write the product for any size.
//
// Given: `a`, a contiguous float32 matrix of m rows and k columns, and `b`, one of k
// rows and n columns, on the same GPU. m and n are 1 or more, and k is 0 or more. What
// must hold:
//
// - The result is a new float32 matrix of m rows and n columns on the device of `a`:
//   the product; zeros if k is 0. Each element is correct within 1e-5 of the largest
//   one, for matrices of positive numbers. `a` and `b` do not change.
// - One launch of a kernel of yours computes it, with a block of 16 by 16 threads for
//   each tile of 16 by 16 elements of the result; if k is 0 there may be none. The
//   library may only fill a tensor, as `zeros` does.
// - Global memory: a block reads its 16 rows of `a` and its 16 columns of `b` once. Let
//   M and N be m and n, rounded up to multiples of 16. The M * N / 256 blocks read 32 *
//   k floats each: at most M * N * k / 2 bytes in total. (Without tiles each thread
//   reads 2 * k floats.) Neighbouring lanes read neighbouring floats: 16 of them are in
//   3 or 4 sectors, so that a block loads at most 128 sectors for each 16 columns of
//   `a`, rounded up.
// - A block executes at most two barriers for each 16 columns of `a`, rounded up.
//
// The check runs the function with m, k and n of 1, of 15 to 17, of 17 to 35, and of up
// to 4200, most of which are not multiples of 16, and with k of 0, also with small
// whole numbers of any sign. It compares with products in float64, and takes the rest
// from the emulator's counts. A race, a read of shared memory that was never written,
// and an access out of bounds fail the call.
#pragma once

#include "d2l/d2l.h"

/// The product of `a` and `b`.
d2l::Tensor product(const d2l::Tensor& a, const d2l::Tensor& b);
