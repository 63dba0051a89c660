// SPDX-License-Identifier: MIT
// # Place a tensor
//
// Section 1.2.1 makes tensors in the memory of the device that needs them. The function below does so for a program
// that reads measurements from a file, and names device and dtype on its command line. It works on its author's
// computer. On a computer without the device that is named it throws, and whoever asks for float64 gets numbers that
// were rounded to float32 on the way.
//
// Repair it, so that all of this holds, for any values that the dtype can hold:
//
// - The tensor has one dimension, the dtype that is asked for, and the values in their order, each as near as this
//   dtype can be: in float64 and int64 they are exact.
// - It is in the memory of the device that is asked for. Where there is no such device, it is in that of the CPU.
// - On their way to a GPU the values cross once, in one copy of as many bytes as the tensor has. A tensor of the CPU
//   crosses nowhere.
//
// The check asks for every device here and for GPUs that are not here, in float32, float64 and int64. It compares with
// the values that it drew, asks the driver who owns the memory, and reads the ledger.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The values as a tensor of `dtype` on `wanted`, or on the CPU where there is no such device.
d2l::Tensor place(const std::vector<double>& values, d2l::ScalarType dtype, d2l::Device wanted);
