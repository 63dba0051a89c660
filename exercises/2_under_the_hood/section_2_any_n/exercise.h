// SPDX-License-Identifier: MIT
// # Any n with a fixed grid
//
// Section 2.2 shows that a kernel can process any number of elements with the grid that
// it gets. Write such a kernel. It fades out a recording: the sample with index i of n
// samples is multiplied by 1 - i / n, so that the first sample keeps its value, and the
// last one is nearly silent.
//
// Given: `sound`, a float32 tensor of one dimension on a GPU, contiguous, with n
// samples, at most a million and perhaps none; `blocks` and `threads`, both at least 1,
// and `threads` is a multiple of 32 up to 1024. What must hold:
//
// - The result is a new tensor on the same device. Its sample i is sound[i] * (1 - i /
//   n), within 1e-6 of the largest absolute value. `sound` does not change. For n = 0
//   the result has no elements.
// - For n of at least 1 there is one launch in total, with `blocks` blocks of `threads`
//   threads, whether that is more than n or less. (`zeros` would be another launch.
//   `empty` is not.) For n = 0 there is at most this launch.
// - The host does not wait, and nothing is copied between devices.
// - Each sample is read once, and each sample of the result is written once: 4 bytes
//   per sample for each.
// - A warp reads and writes neighbours. In total, the loads touch at most n / 8
//   sectors, rounded up, in at most n / 32 requests, rounded up, and so do the stores.
//
// The check runs the function on the last GPU, with drawn grids of 1 to 1075 blocks,
// and with n from 0 to a million, among them one less and one more than the grid's
// threads. It compares the results with its own. In the emulator, an access out of
// bounds, a race and a refused launch fail the call. The counts of the launch show the
// rest.
#pragma once

#include "d2l/d2l.h"

/// `sound`, faded out from its first sample to its last, by a grid of `blocks` blocks
/// of `threads` threads.
d2l::Tensor fade_out(const d2l::Tensor& sound, int blocks, int threads);
