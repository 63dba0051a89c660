// SPDX-License-Identifier: MIT
// # Weights of eight bits
//
// A language model that writes text loads all of its weights for each new token
// (section 5.5): a product of a matrix and one vector, or a few, is limited by memory.
// Weights of 8 bits are a quarter of those bytes. The numbers of x stay float32, and a
// weight becomes a float in a register, where it is needed. Write both halves: the
// rounding of the weights, and a product that never stores a float matrix of weights.
//
// `quantize_rows` gets W, a float32 matrix of n rows and m columns, both 1 or more, on
// a GPU. Each row has its own scale, because some rows are much larger than others:
//
//     s_i = max_j |W_ij| / 127        q_ij = W_ij / s_i, rounded to the nearest
//
// - `values` is a matrix of n by m with the q, which are -127 to 127; -128 does not
//   occur. The library has no signed dtype of 8 bits, so it is `kByte` with the bits of
//   a `std::int8_t`: -3 is stored as 253. Of two nearest numbers, either is right.
// - `scales` has the n scales, float32, each correct within 1e-6 of itself.
// - A row of zeros has the values 0 and any finite scale. Otherwise the largest |W_ij|
//   of a row is 1e-30 to 1e30.
// - It may use the library, or kernels of yours. Both results are new, on the device of
//   W, and W does not change.
//
// `int8_linear` gets x, a contiguous float32 matrix of b rows and m columns, b 0 or
// more, and values and scales as above, on the same GPU. It returns y, b by n:
//
//     y_ki = s_i Σ_j x_kj q_ij
//
// - Each element is correct within 3e-5 of s_i Σ_j |x_kj q_ij|. No argument changes.
// - The result of both functions together is off from x Wᵀ by at most s_i/2 Σ_j |x_kj|,
//   because each weight is off by at most s_i/2; 1e-3 of that is allowed on top.
// - One launch of a kernel of yours computes it; if b is 0 there may be none. The
//   library may only fill a tensor, as `zeros` does. At most 4 b n + 1024 bytes are
//   allocated.
// - Let b be at most 8 and m a multiple of 32, and let the values have w sectors of 32
//   bytes, and x t of them. At most 9/8 (w + ⌈n/8⌉ t) + b n sectors are loaded: a
//   weight once for all rows of x, and x once for eight rows of weights. At most b n
//   sectors are stored.
// - The work is spread: no warp and no block of eight does more than a quarter of it.
//
// The check runs the functions with n and m of 1 to 40, of about 1100 rows, and of
// about 5000 columns, most of them no multiples of 4, with b of 0 to 17, and with 64 by
// 256 weights. It computes in float64, and takes the rest from the emulator's counts. A
// race and an access out of bounds fail the call.
#pragma once

#include "d2l/d2l.h"

/// A matrix of weights in 8 bits.
struct Quantized {
  d2l::Tensor values;  ///< n by m, kByte: the bits of signed numbers
  d2l::Tensor scales;  ///< n, float32
};

/// Rounds each row of `weight` to 8 bits.
Quantized quantize_rows(const d2l::Tensor& weight);
/// The product of `x` and the transposed weights.
d2l::Tensor int8_linear(const d2l::Tensor& x, const Quantized& weight);
