// SPDX-License-Identifier: MIT
// # Tiled attention
//
// Attention compares each of n queries with each of m keys, and takes the mean of m
// values, weighted by the softmax of the scores. The matrix of the scores has n · m
// elements: for long sequences it is by far the largest tensor, and most of the time is
// spent on writing and reading it. A tiled kernel never writes it. It goes over the
// keys in tiles, and keeps for each query a running maximum, a running sum and a
// running result, which it corrects when the maximum grows, as online softmax does
// (exercise 2.11).
//
// Given: `q`, `k` and `v`, contiguous float32 matrices with 32 columns on one GPU: n
// queries, m keys and m values. n is 0 or more, and m is 1 or more. The score of query
// i and key j is the sum of `q[i] * k[j]` over the columns, divided by √32. What must
// hold:
//
// - The result has n rows and 32 columns. Row i is the sum over j of `p[j] * v[j]`,
//   where p is the softmax of the scores of query i. It is correct within 1e-5 of the
//   largest value, or within 5e-3 if scores have absolute values above 100. `q`, `k`
//   and `v` do not change.
// - One launch of one kernel of yours computes it, and none if n is 0. There is at most
//   one other launch, which fills the result, as `zeros` does, and no copy between
//   devices.
// - A block of the kernel serves 16 queries or more, and reads each key and each value
//   once. So all blocks together load at most 128 * (n + 2 * m * ⌈n / 16⌉) bytes, and
//   store 128 * n: no scores.
// - A block executes at most 2 · ⌈m / 32⌉ barriers.
// - Each access to shared memory takes one pass.
//
// The check draws n and m, which are rarely multiples of 16 and 32, up to some 1030
// queries and 4100 keys, and scores down to minus a million. It compares with a
// computation in float64, and takes the rest from the emulator's counts.
#pragma once

#include "d2l/d2l.h"

/// The mean of the rows of `v` for each row of `q`, weighted by the softmax of the
/// scores of `q` and `k`.
d2l::Tensor attention(const d2l::Tensor& q, const d2l::Tensor& k, const d2l::Tensor& v);
