// SPDX-License-Identifier: MIT
// # FlashAttention
//
// Attention in tiles stores no matrix of scores (section 5.5). Write both passes, with
// kernels of your own, in the form that models use: several heads, groups of heads that
// share keys and values, head sizes up to 128, and few loads.
//
// Given: `q`, a contiguous float32 tensor of H x n x d on a GPU, with n queries in each
// of H heads; `k` and `v`, likewise of G x n x d. Several texts of equal length are
// further heads. H is a multiple of G. Head h of the queries uses head h / (H / G) of
// the keys and values, rounded down: this is *grouped-query attention*, which makes the
// KV cache smaller. d is 32, 64, 96 or 128, n is 1 or more, and H is at most 1000. If
// `causal` is true, query i sees the keys up to i, otherwise all. Weights of the others
// are 0. `flash_attention` returns O and lse, H x n numbers. For each head,
//
//     S = Q Kᵀ / √d                   lse[i] = log of the sum of exp(S[i][j]) over j
//     P = exp(S − lse), row by row    O = P V
//
// `flash_attention_backward` also gets O, lse and `dout`, the gradient dO of O. It
// returns the gradients of q, k and v. Those of k and v are sums over the H / G heads
// of the queries in a group. ∘ multiplies element by element:
//
//     dV = Pᵀ dO                      dP = dO Vᵀ
//     D[i] = sum of dO[i] ∘ O[i]      dS = P ∘ (dP − D), row by row
//     dQ = dS K / √d                  dK = dSᵀ Q / √d
//
// What must hold:
//
// - All results are new tensors on the device of q. Let A be the largest element of a
//   result if all terms of all sums, and of dP − D, had their absolute values; for lse,
//   A is the largest such score or |lse|. Each element is correct within 1e-5 of A, or
//   within 5e-3 of A if scores have absolute values above 100. No argument changes.
// - The same bits: a second call with the same arguments returns equal results, also if
//   blocks run in another order.
// - A forward pass has at most 2 launches of kernels of yours, a backward pass 4. The
//   library may only fill a tensor, as `zeros` does. Nothing is copied, and the host
//   does not wait.
// - The memory is linear in n. Let F be n (2 H d + 16 H) + 1024 for a forward pass, and
//   n (3 H d + 2 G d + 16 H) + 1024 for a backward pass. At no time does a call have
//   more than 4 F bytes allocated, with its results. Its kernels store at most F / 4
//   sectors of 32 bytes; 8 atomic operations on global memory count as a sector.
// - Tiles of 32 rows: let T be ⌈n / 32⌉, and W the number of pairs of a tile of queries
//   and one of keys: T², or T (T + 1) / 2 in a causal call, without the tiles above the
//   diagonal. A row has d / 8 sectors. A forward pass loads at most H (72 W + 4 n)
//   rows, counted in sectors, and a backward pass twice as many. (The two tiles of a
//   pair have 64 rows. The rest is for the tile of the block, for other tiles, and for
//   lse and D.)
// - The work is spread: with 2 heads of 140 rows or more, also of k and v, no warp and
//   no block makes more than a quarter of the steps of a call, and on average 8 threads
//   of a warp or more make a step together.
//
// The check draws n of 1, 31 to 33, and others up to 287, most of them no multiple of
// 8; H up to 6, and 70; groups of 1 to 3 heads; and scores from about -700 to 700. It
// calls each function by itself, with an O and an lse of its own, and some calls are
// repeated. It compares with float64, and takes the rest from the ledger and from the
// emulator's counts. A race, a read of memory that was never written, an access out of
// bounds, and more than 48 KiB of `__shared__` arrays fail the call.
#pragma once

#include "d2l/d2l.h"

/// What the forward pass returns.
struct Attended {
  d2l::Tensor out;  ///< O, of the shape of q
  d2l::Tensor lse;  ///< the log-sum-exp of the scores of each query, H x n
};

/// The gradients of the arguments.
struct AttentionGradients {
  d2l::Tensor dq;  ///< of the queries
  d2l::Tensor dk;  ///< of the keys
  d2l::Tensor dv;  ///< of the values
};

/// The result of attention, and the log-sum-exp of its scores.
Attended flash_attention(const d2l::Tensor& q, const d2l::Tensor& k,
                         const d2l::Tensor& v, bool causal);
/// The gradients for the gradient `dout` of `out`.
AttentionGradients flash_attention_backward(const d2l::Tensor& dout,
                                            const d2l::Tensor& q, const d2l::Tensor& k,
                                            const d2l::Tensor& v,
                                            const d2l::Tensor& out,
                                            const d2l::Tensor& lse, bool causal);
