// SPDX-License-Identifier: MIT
/// @file
/// For .cu programs that use tensors: the stream of a device's tensor operations.
#pragma once

#include "d2l/device.h"

struct CUstream_st;  // what a cudaStream_t points to, of the toolkit or of the emulator

namespace d2l {

/// The stream in which the tensor operations of a GPU run: kernels that are launched on it run after the tensor
/// operations before the launch, and before those after it. DeviceError if `device` is not a GPU of this machine. The
/// call makes the device the current one of this thread, as a launch on the stream requires; a slice of a card makes
/// its card the current one. Do not destroy the stream.
CUstream_st* stream(Device device = gpu());

}  // namespace d2l
