// SPDX-License-Identifier: MIT
// # A map in two dimensions
//
// In section 2.1 each thread has one number, `i`. The elements of a matrix have two, a
// row and a column, and some operations need both. A microscope measures the height of
// a surface at each point of a grid, and the sample is tilted. To level the image, one
// subtracts a plane: at row r and column c, the height is `down * r + across * c` too
// large. Write a kernel that subtracts it, with one thread for each element.
//
// A launch can give each thread two numbers. `dim3(32, 8)` as the number of threads
// makes blocks of 32 threads in x by 8 in y, and a `dim3` as the number of blocks makes
// a grid of them. In the kernel, you can read `blockIdx.y`, `blockDim.y` and
// `threadIdx.y` as well as those of x.
//
// Given: `heights`, a float32 matrix on a GPU, contiguous (row after row: the element
// at row r and column c has the index r * columns + c), with any number of rows and
// columns, also 0; one grid has room for them. What must hold:
//
// - The result is a new matrix on the same device: heights(r, c) - down * r - across *
//   c. `heights` does not change.
// - A matrix without elements gives a matrix of the same shape, without a launch.
// - Otherwise there is one launch in total: create the result with `empty`, not
//   `zeros`, which launches a kernel, too. The host does not wait, and nothing is
//   copied between devices.
// - x counts columns and y counts rows. A block has 64 to 1024 threads, a multiple of
//   32: 2 to 32 in x, and 2 to 32 in y. Each element has a thread of its own. There are
//   no more blocks in x than the columns need, and no more in y than the rows need.
// - Each element of `heights` is read once, and each element of the result is written
//   once: 4 bytes per element each.
//
// The check runs the function on the last GPU, with matrices that have one element,
// that are wide or tall, and whose sizes are multiples of the block or not, up to 1060
// by 1060, and compares the results with its own. In the emulator, an access out of
// bounds, a race and a refused launch fail the call, and the counts of the launch show
// the grid, the reads and the writes.
#pragma once

#include "d2l/d2l.h"

/// `heights` minus the plane `down * row + across * column`, on the device of
/// `heights`.
d2l::Tensor subtract_plane(const d2l::Tensor& heights, float down, float across);
