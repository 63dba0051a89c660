// SPDX-License-Identifier: MIT
// # An all-reduce by hand
//
// Write the all-reduce of section 3.3 for any number of tensors: the book's version, too, must work for one GPU, for
// three, and for two tensors on the same GPU.
//
// Given: one or more tensors of the same shape, each on any device. What must hold:
//
// - Afterwards each tensor has the sum of all, in the memory that it had before.
// - The sum is computed on the devices. Where the tensors are on GPUs, nothing is copied to the host, and the host
//   waits for nothing.
// - At most two copies between devices for each tensor that is not on the device of the first one.
//
// The check uses one to five tensors, whose devices repeat where the computer has fewer, with different numbers in
// each. It compares the values, the addresses, and the ledger.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// Leaves the sum of all tensors in each of them.
void all_reduce(std::vector<d2l::Tensor>& data);
