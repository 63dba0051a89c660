// SPDX-License-Identifier: MIT
// # A convolution in one dimension
//
// Smoothing a signal, finding an edge, a convolutional layer: each output is a weighted
// sum of neighbouring inputs. Neighbouring outputs use almost the same inputs. A kernel
// in which each thread reads its own `k` inputs from global memory reads each of them
// `k` times. Section 2.5 shows the remedy: a block loads its part of the input once,
// into shared memory.
//
// Given: `x`, a contiguous float32 tensor of `n` elements, and `w`, a contiguous
// float32 tensor of `k` weights, both on the same GPU. `n` is 0 or more; `k` is odd,
// from 1 to 63, and may be larger than `n`. What must hold:
//
// - The result is a new tensor of `n` elements on the device of `x`, where element i is
//   the sum over j of `w[j] * x[i + j - k / 2]`, for j from 0 to k - 1. Elements before
//   the beginning and after the end of `x` count as zero. `x` and `w` do not change.
// - A kernel of yours computes it, in one launch; in none if `n` is 0. The library may
//   only fill a tensor. Each block has at least 128 threads, and there are no more
//   blocks than n / 128, rounded up. From 8192 elements on, no warp and no block makes
//   more than a quarter of the launch's steps, and on average 8 threads of a warp or
//   more make a step together.
// - Reads of global memory: each block reads each weight at most once, and all blocks
//   together read at most the n elements of `x` and k - 1 more per block. So a launch
//   of B blocks loads at most 4 * (n + B * (2 * k - 1)) bytes.
// - A block executes at most one barrier, and each access to shared memory takes one
//   pass.
//
// The check runs the function with several k and with n up to 267,400, also with
// numbers of any sign, compares the results with sums in float64, and takes the rest
// from the emulator's counts. As in all exercises with kernels, an access out of
// bounds, a race, and a read of shared memory that was never written fail the call.
#pragma once

#include "d2l/d2l.h"

/// The weighted sums of the neighbours of each element of `x`.
d2l::Tensor convolve(const d2l::Tensor& x, const d2l::Tensor& w);
