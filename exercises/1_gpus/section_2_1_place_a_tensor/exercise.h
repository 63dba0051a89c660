// SPDX-License-Identifier: MIT
// # Place a tensor
//
// In section 1.2.1 we make tensors directly on the device that needs them. The function
// below does this for a program that reads measurements from a file. The user names the
// device and the dtype on the command line. It works on its author's computer. But on a
// computer without the named device it throws, and float64 values are rounded to
// float32 on the way.
//
// Repair the function. All of this must hold, for all values that the dtype can
// represent:
//
// - The tensor has one dimension and the requested dtype. It holds the values in order,
//   each as exactly as the dtype allows: float64 and int64 values are exact.
// - It is in the memory of the requested device. If that device does not exist, it is
//   in the CPU's memory.
// - For a GPU, the values are copied between devices once, in one copy of exactly the
//   tensor's bytes. For the CPU, nothing is copied between devices.
//
// The check requests every device of this computer, and GPUs that it does not have, in
// float32, float64 and int64. It compares the values, asks the driver which device owns
// the memory, and reads the ledger.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The values as a tensor of `dtype` on `wanted`, or on the CPU if `wanted` does not
/// exist.
d2l::Tensor place(const std::vector<double>& values, d2l::ScalarType dtype,
                  d2l::Device wanted);
