// SPDX-License-Identifier: MIT
// # The statistics of all rows
//
// Each of four computers has a part of a table, and the rows are too many to send to
// another computer. Still each computer must standardise its columns by the mean and
// the standard deviation of *all* rows.
//
// Every rank calls the function below with its own rows. The ranks have different
// numbers of rows, and some have none. What must hold:
//
// - The result has the rows of this rank, minus the mean of each column, divided by its
//   standard deviation, where both are those of the rows of all ranks. The standard
//   deviation is the square root of the mean of (x − mean)², over all rows. A column
//   whose standard deviation is 0 becomes 0.
// - The given rows do not change.
// - No rank sends more than 400 bytes for a table of three columns. (The rows of one
//   rank alone may be more.)
// - The numbers may be large: the error is at most 0.001 for columns with a mean of
//   about 1000 and standard deviation 1.
//
// The process group is there already: `distributed::all_reduce(tensor).wait()` leaves
// the sum over all ranks in a tensor. The check runs 1 to 5 ranks as threads, with 0 to
// 67,000 rows of one, three and seven columns, and computes the statistics itself in
// float64.
#pragma once

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// The rows of this rank (rows, columns), float32, standardised by the statistics of
/// the rows of all ranks.
d2l::Tensor standardise(const d2l::Tensor& rows);
