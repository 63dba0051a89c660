// SPDX-License-Identifier: MIT
// # Split a batch
//
// Section 3.2 divides a batch between GPUs. Write a function that does so for every
// number of rows, as evenly as possible. (The book's function divides ten rows into 3,
// 3, 3 and 1.)
//
// Given: a batch, a tensor of any dtype whose first dimension has an index for each
// example, on any device; and a list of one or more devices. A device may be in the
// list more than once. What must hold:
//
// - The result has one part for each device of the list, in order. Part i is on
//   devices[i].
// - All parts together, one after another, are the rows of the batch in their order. No
//   row is missing, and none appears twice.
// - The numbers of rows of any two parts differ by at most one. If there are more
//   devices than rows, some parts have no rows.
// - A part goes to its device in one copy of exactly its bytes. A part that is on its
//   device already is not copied.
//
// The check uses batches of 0 to 40 rows and one of 67,000, with one to four
// dimensions, and up to five devices, which repeat where the computer has fewer. It
// compares the rows, asks the driver where they are, and reads the ledger.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The rows of the batch in as many parts as there are devices, each on its device.
std::vector<d2l::Tensor> split_batch(const d2l::Tensor& batch,
                                     const std::vector<d2l::Device>& devices);
