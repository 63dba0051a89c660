// SPDX-License-Identifier: MIT
// # The backward pass of tiled attention
//
// Tiled attention (section 5.5) never writes its matrix of weights, so the backward
// pass does not find it: it computes each weight again, from the scores and from one
// number for each query that the forward pass has kept, the *log-sum-exp* of its scores
// S: `lse[i]` is the logarithm of the sum of exp(S[i][j]) over the keys j that query i
// sees. With n queries, m keys and d = 32 columns, where dO is the gradient of the
// result O, Q, K and V are the arguments, and ∘ multiplies element by element:
//
//     S = Q Kᵀ / √d                       P = exp(S − lse), the weights
//     dV = Pᵀ dO                          dP = dO Vᵀ
//     D[i] = sum of dO[i] · O[i]          dS = P ∘ (dP − D), row by row
//     dQ = dS K / √d                      dK = dSᵀ Q / √d
//
// Given: `dout` (dO), `q` and `out` (O), contiguous float32 matrices of n rows and 32
// columns on one GPU; `k` and `v`, the same with m rows; `lse`, n numbers. n is 0 or
// more, and m is 1 or more. If `causal` is true, n is m, and query i sees the keys up
// to i: the other weights are 0. What must hold:
//
// - The result has the gradients of `q`, `k` and `v`, in new tensors on their device.
//   Let A be the largest element of a gradient if all terms of all sums, and of dP − D,
//   had their absolute values. Each element is correct within 1e-5 of A, or within 5e-3
//   of A if scores have absolute values above 100. No argument changes. If n is 0, `dk`
//   and `dv` are 0.
// - Kernels of yours compute it, in at most 3 launches. The library may only fill a
//   tensor, as `zeros` does. Nothing is copied between devices.
// - No matrix of n × m: the call allocates at most 384 * (n + m) bytes, and its kernels
//   store at most 12 * (n + m) sectors of 32 bytes. (A row of 32 columns is 4 sectors.)
// - Rows are loaded in tiles. With N = ⌈n / 16⌉ and M = ⌈m / 16⌉, the kernels load at
//   most 12 * (n * (M + 2) + m * (N + 2)) sectors. You may do without atomic operations
//   on global memory; at most 64 * (n * M + m * N) are allowed.
// - What a causal query does not see is not loaded for it: for n of 140 and more, a
//   causal call loads at most three quarters of the sectors of one that is not.
// - The work is spread: with n and m of 140 or more, no warp and no block makes more
//   than a quarter of the steps of the whole call, and on average 8 threads of a warp
//   or more make a step together.
//
// The check draws n and m of 1, of 31 to 33, of 140 to 150, up to 1034 queries and 310
// keys with few of the other, and scores from about -1000 to 1000. Most sizes are
// not multiples of 16 or 32. It compares with a computation in float64, and takes the
// rest from the ledger and from the emulator's counts. A race, a read of memory that
// was never written, and an access out of bounds fail the call.
#pragma once

#include "d2l/d2l.h"

/// The gradients of the arguments of attention.
struct Gradients {
  d2l::Tensor dq;  ///< of the queries
  d2l::Tensor dk;  ///< of the keys
  d2l::Tensor dv;  ///< of the values
};

/// The gradients for the gradient `dout` of the result `out`, and the log-sum-exp `lse`
/// of each row of the scores.
Gradients attention_backward(const d2l::Tensor& dout, const d2l::Tensor& q,
                             const d2l::Tensor& k, const d2l::Tensor& v,
                             const d2l::Tensor& out, const d2l::Tensor& lse,
                             bool causal);
