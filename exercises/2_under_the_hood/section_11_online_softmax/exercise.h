// SPDX-License-Identifier: MIT
// # Online softmax
//
// Section 2.11 computes softmax with one block for each row, and reads the row three
// times, twice, or once. Write such a kernel without looking there, for rows of any
// length.
//
// Given: `x`, a float32 matrix on a GPU, row-major and without gaps, with 0 to 65535
// rows and 1 to 20000 columns. Its numbers are of any size; some may be -∞, but not all
// of a row. What must hold:
//
// - The result is a new matrix of the same shape on the same device. Element i of a row
//   is e to the power of `x[i]`, divided by the sum of these powers over the row. It is
//   within 1e-4 of the exact result, relative to the largest of the row. `x` does not
//   change.
// - That holds for numbers of any size: no power overflows, and a row of numbers far
//   below 0 causes no division by 0.
// - Where `x` is -∞ the result is 0, also at the beginning of a row, and if most of the
//   row is -∞.
// - One launch of one kernel computes it. The library's operations compute nothing; one
//   of them may fill the result, as `zeros` does. For 0 rows, launch nothing: a launch
//   of 0 blocks is an error. For 4000 rows and more, no warp and no block makes more
//   than a quarter of the launch's steps, and on average 8 threads of a warp or more
//   make a step together.
// - The kernel reads each element of `x` once if a row has up to 1024 columns, and at
//   most twice if it has more. It writes each element of the result once.
//
// The check draws matrices of 1, 31, 32, 33, 1000, 1024, 1025 and up to 20000 columns,
// and of up to 4300 rows (fewer for a kernel with more than 128 threads per row, for
// which the emulator takes long). It compares with a computation in float64, and counts
// the launches and the bytes that the threads load and store.
#pragma once

#include "d2l/d2l.h"

/// The softmax of each row of `x`.
d2l::Tensor softmax(const d2l::Tensor& x);
