// SPDX-License-Identifier: MIT
// # An all-reduce by hand
//
// The star of section 3.3 copies each tensor to the first device and the sum back, even
// when several tensors are on one device, as on a computer with more parts than GPUs.
// Write an all-reduce whose number of copies between devices depends on the number of
// devices, not on the number of tensors.
//
// Given: one or more tensors of the same shape and dtype, each on any device. What must
// hold:
//
// - Afterwards each tensor has the sum of all, in the memory that it had before.
// - The sum is computed on the devices. Where the tensors are on GPUs, nothing is
//   copied to the host, and the host waits for nothing.
// - There are at most two copies between devices for each *device* other than that of
//   the first tensor, one in each direction, however many tensors are on it. Tensors of
//   one device need not be neighbours in the list.
//
// The check uses one to six tensors, whose devices repeat, with 0 to 68,000 numbers of
// float32, float64 and int64. It compares the values and the addresses, and reads the
// ledger.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// Leaves the sum of all tensors in each of them.
void all_reduce(std::vector<d2l::Tensor>& data);
