// SPDX-License-Identifier: MIT
// # A product from registers
//
// Section 5.4 lets a thread compute several elements of a product, so that each value
// that it reads from shared memory takes part in several multiplications. The lesson's
// matrices are multiples of the tile. Write such a product for any size.
//
// Given: `a`, a contiguous float32 matrix of m rows and k columns, and `b`, one of k
// rows and n columns, on the same GPU. m and n are 1 or more, and k is 0 or more. What
// must hold:
//
// - The result is a new float32 matrix of m rows and n columns on the device of `a`:
//   the product; zeros if k is 0. Each element is correct within 1e-5 of the largest
//   one, for matrices of positive numbers. `a` and `b` do not change.
// - One launch of a kernel of yours computes it, with 256 threads in a block, and a
//   block for each tile of 64 by 64 elements of the result; if k is 0 there may be
//   none. The library may only fill a tensor, as `zeros` does.
// - Global memory: a block reads its 64 rows of `a` and its 64 columns of `b` once. Let
//   M and N be m and n, rounded up to multiples of 64: at most M * N * k / 8 bytes in
//   total.
// - Shared memory: let K be k, rounded up to a multiple of 32. All warps of a block
//   together make at most 80 * K passes of shared memory, loads and stores. A request
//   is one pass if it has no bank conflict (section 2.7). With one element for each
//   thread, a tile of 64 by 64 takes 272 passes for a step of the inner dimension.
// - The work is spread: no warp and no block of nine does more than a quarter of it.
//
// The check runs the function with m, k and n of 1, of 15 to 17, of 31 to 65 and of up
// to 2100, most of which are not multiples of 64, and with k of 0, also with small
// whole numbers of any sign. It compares with products in float64, and takes the rest
// from the emulator's counts. A race, a read of shared memory that was never written,
// and an access out of bounds fail the call.
#pragma once

#include "d2l/d2l.h"

/// The product of `a` and `b`.
d2l::Tensor product(const d2l::Tensor& a, const d2l::Tensor& b);
