// SPDX-License-Identifier: MIT
// # A product of any size on tensor cores
//
// The kernel of section 5.3 loads its tiles from the matrices themselves, so their
// sizes must be multiples of 16. Write the product for any size.
//
// Given: `a`, a contiguous float16 matrix of m rows and k columns, and `b`, one of k
// rows and n columns, on the same GPU. m and n are 1 or more, and k is 0 or more. What
// must hold:
//
// - The result is a new float32 matrix of m rows and n columns on the device of `a`:
//   the product; zeros if k is 0. The sums are float32: each element is correct within
//   1e-5 of the largest one, for matrices of positive numbers, also where it is larger
//   than a float16 can be. `a` and `b` do not change.
// - One launch of a kernel of yours computes it; if k is 0 there may be none. The
//   library may only fill a tensor, as `zeros` does.
// - Tensor cores multiply: with M, K and N for m, k and n, rounded up to multiples of
//   16, the warps make M * K * N multiply-adds in `mma_sync`. No tile is multiplied
//   twice, and none is left out.
// - The elements are read once for each tile of the result: at most M * N * k / 4 bytes
//   of global memory.
// - The work is spread: in a launch with 25 tiles of the result, no warp and no block
//   does more than a quarter of it.
//
// The check runs the function with m, k and n of 1, of 15 to 17, of 31 to 35 and of up
// to 1100, most of which are not multiples of 16 and some of which are odd, and with k
// of 0, also with small whole numbers of any sign. It compares with products in
// float64, and takes the rest from the emulator's counts. A race, a read of shared
// memory that was never written, an access out of bounds and a tile at an address that
// is not a multiple of 32 bytes fail the call.
#pragma once

#include "d2l/d2l.h"

/// The product of `a` and `b`, in float32.
d2l::Tensor product(const d2l::Tensor& a, const d2l::Tensor& b);
