// SPDX-License-Identifier: MIT
// # A privatised histogram
//
// How many pixels are dark, how many words occur once, how many examples belong to each
// class: a histogram counts. Section 2.9 shows why one atomic on global memory for each
// element is slow, and what helps: each block counts in its own histogram in shared
// memory, and adds it to the result when it has counted all its values.
//
// Given: `values`, a contiguous int32 tensor of `n` elements on a GPU, and `bins`, a
// number from 1 to 1024. `n` is 0 or more. What must hold:
//
// - The result is a new int32 tensor of `bins` elements on the device of `values`.
//   Element b is the number of values that are b. Values below 0 and from `bins` on are
//   not counted. `values` does not change.
// - One launch of a kernel of yours counts them; if `n` is 0 there may be none. The
//   library may only fill a tensor, as `zeros` does. A block has a multiple of 32
//   threads. There are at most 32 blocks, and no more than n divided by the threads of
//   a block, rounded up: no block is without a value. From 8192 values on, there are at
//   least 8 blocks, and their threads share the work: no warp and no block makes more
//   than a quarter of the launch's steps, and on average 8 threads of a warp or more
//   make a step together.
// - Each value is read once, and neighbouring lanes read neighbouring values: at most
//   4 * n bytes, and n / 8 sectors, rounded up.
// - Atomics on global memory: a block adds each bin once at most, and only bins in
//   which it found a value. So there are at most as many as blocks times different
//   values that are counted. Atomics on shared memory: one for each value that is
//   counted, at most.
// - A block executes at most two barriers.
//
// The check runs the function with no value, with one, with up to 80,000 values that
// are spread, that are all the same, and that are outside the bins, the smallest and
// the largest int32 among them, with 1 to 1024 bins. It compares the results with its
// own counts and takes the rest from the emulator's counts. A race, a read of shared
// memory that was never written, and an access out of bounds fail the call.
#pragma once

#include "d2l/d2l.h"

/// How often each of the numbers 0, 1, …, bins - 1 occurs in `values`.
d2l::Tensor histogram(const d2l::Tensor& values, int bins);
