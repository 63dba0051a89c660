// SPDX-License-Identifier: MIT
// # Find the bug
//
// The five kernels of the stub compile, and each gives correct results for some sizes.
// Each has one bug, of a kind of its own. Run `./learn check`: the report of each says
// what was found, in which line, in which block and thread. For each function, say what
// kind of bug it has, then repair it.
//
// Given: the arguments of the functions are contiguous tensors on one GPU, float32
// unless stated otherwise, and have at least one element. What must hold:
//
// - `rows_reversed(x)`: each row of the matrix `x` backwards. It has at most 1024
//   columns.
// - `smoothed(x)`: for each element, the mean of itself and its two neighbours. The
//   first element is also its own left neighbour, and the last one its own right one.
//   Correct within 1e-6 of the largest.
// - `counts_of(classes, bins)`: for each number from 0 to bins - 1, how many elements
//   of `classes` (int64) are equal to it, as int64. All elements are in this range;
//   bins is at most 1024.
// - `largest_of_rows(x)`: the largest element of each row of the matrix `x`.
// - `rows_scaled(x, factors)`: each row of the matrix `x`, times its element of
//   `factors`.
// - `kinds_of_bugs()`: the kinds of the bugs that the five kernels of the stub have, in
//   this order.
// - Each function launches one kernel of yours; the library may only fill a tensor, as
//   `zeros` does. The results are on the device of the first argument, and no argument
//   changes. The emulator's checks report nothing.
//
// The check calls each function with several sizes, several times, since each launch
// runs its threads in another order, and once with more than 1024 rows and 131,200
// elements.
#pragma once

#include <array>
#include <cstdint>

#include "d2l/d2l.h"

/// What is wrong with a kernel.
enum class Bug : std::int8_t {
  unknown,        ///< not yet found
  out_of_bounds,  ///< an access beyond the memory that it belongs to
  misaligned,     ///< an access at an address that is not a multiple of its size
  uninitialised,  ///< a read of memory that was never written
  race,  ///< two threads access the same word, one of them writes, and nothing orders
         ///< them
  divergent  ///< a shuffle or a barrier that not all of its threads reach; reports say
             ///< "missing lane", too
};

/// Each row of `x`, backwards.
d2l::Tensor rows_reversed(const d2l::Tensor& x);
/// The mean of each element and its two neighbours.
d2l::Tensor smoothed(const d2l::Tensor& x);
/// How often each class from 0 to bins - 1 occurs.
d2l::Tensor counts_of(const d2l::Tensor& classes, std::int64_t bins);
/// The largest element of each row.
d2l::Tensor largest_of_rows(const d2l::Tensor& x);
/// Each row of `x` times its factor.
d2l::Tensor rows_scaled(const d2l::Tensor& x, const d2l::Tensor& factors);
/// The kinds of the bugs of the five kernels, in the order of the functions above.
std::array<Bug, 5> kinds_of_bugs();
