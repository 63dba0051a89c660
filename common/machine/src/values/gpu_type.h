// SPDX-License-Identifier: MIT
// The type of the GPUs of this process.
#pragma once

#include <atomic>
#include <string_view>

#include "d2l/device.h"

namespace d2l::detail {

/// Whether PyTorch has a type of device with this name.
bool is_type_of_pytorch(std::string_view name);

/// CUDA, unless virtual GPUs of another type were asked for; the runtime sets it.
inline std::atomic<DeviceType> gpu_type{kCUDA};

/// A GPU by its number, for all that need not know its type.
inline Device gpu_number(int number) { return {gpu_type.load(std::memory_order_relaxed), number}; }

}  // namespace d2l::detail
