// SPDX-License-Identifier: MIT
// # Prefix sums over many blocks
//
// The prefix sum of 3, 1, 4 is 3, 4, 8: element i is the sum of the elements 0 to i.
// Filters, sorting and sparse matrices need it. Each element depends on all before it,
// yet a card can compute it with many blocks at once.
//
// Given: `x`, a contiguous int32 tensor of one dimension on a GPU, of any length,
// also 0. No sum exceeds an int32. What must hold:
//
// - The result is a new int32 tensor of the same length on the device of `x`, with the
//   prefix sums of `x`. `x` does not change. All work is done by kernels of yours, on
//   the stream of the device. (`zeros` would be another launch; `empty` is not a
//   launch.)
// - There are at most 4 launches, for any length.
// - The launch that loads most has at least n / 4096 blocks, for n elements.
// - All launches together load at most 5 n / 16 + 512 sectors of 32 bytes from global
//   memory. Two coalesced loads of each element are 4 n / 16 sectors; the rest is for
//   the sums of blocks.
// - All launches together store at most 5 n / 16 + 512 sectors.
//
// The check compares the results for lengths of one block, of a few, of more than 256
// blocks of 256 threads, and of more than 1024 blocks of 1024 threads, and takes
// launches, blocks and sectors from the ledger. All checks of the emulator are on.
#pragma once

#include "d2l/d2l.h"

/// The prefix sums of an int32 tensor of one dimension, computed on its GPU.
d2l::Tensor prefix_sum(const d2l::Tensor& x);
