// SPDX-License-Identifier: MIT
/// @file
/// The GPUs of this process without the name of a maker, as in torch.accelerator.
#pragma once

#include <optional>
#include <string>

#include "d2l/device.h"

namespace d2l {

/// PyTorch's `torch.accelerator`: the type of the GPUs, and their number.
namespace accelerator {

/// The type of the GPUs of this process: CUDA, or PrivateUse1 for virtual GPUs that were asked for by another name.
/// With `check_available`, nothing if there is no GPU.
std::optional<DeviceType> current_accelerator(bool check_available = false);
/// The number of GPUs; 0 if there are none.
int device_count();
/// True if there is a GPU.
bool is_available();

}  // namespace accelerator

/// From now on, devices of type PrivateUse1 have this name: letters and underscores. Error if they have another name
/// already, ValueError if the name is malformed or that of another type.
void rename_privateuse1_backend(const std::string& name);

}  // namespace d2l
