// SPDX-License-Identifier: MIT
// Runtime: the devices of this process, chosen on first use.
#pragma once

#include <string>

#include "backend/backend.h"
#include "d2l/device.h"

namespace d2l::detail {

/// The backend of the GPUs: virtual GPUs if they were requested, else physical GPUs.
backend::Backend& gpu_backend();
/// The backend of `device`; DeviceError "asked for cuda:2, found 1 GPU" if it does not exist.
backend::Backend& backend_of(Device device);
/// The number of `device` in its backend: 0 for the CPU.
inline int number_of(Device device) noexcept { return device.is_cpu() ? 0 : device.index(); }
/// The notice that a program with virtual GPUs prints first; empty without virtual GPUs.
std::string virtual_gpu_notice();
/// From now on the caller prints the notice itself; otherwise the library prints it on standard error.
void take_over_virtual_gpu_notice();

}  // namespace d2l::detail
