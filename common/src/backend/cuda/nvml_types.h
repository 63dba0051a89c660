// SPDX-License-Identifier: MIT
// The little of NVML's interface that is used, declared here because a toolkit may come without nvml.h.
#pragma once

namespace d2l::backend::cuda::nvml {

/// nvmlReturn_t: 0 is success, all else a failure.
enum class Result : int { success = 0 };
/// nvmlDevice_t.
using Device = struct DeviceHandle*;
/// nvmlUtilization_t: percent of the last sample period.
struct Utilization {
  unsigned int gpu;
  unsigned int memory;
};
/// nvmlTemperatureSensors_t.
enum class TemperatureSensor : int { gpu = 0 };

}  // namespace d2l::backend::cuda::nvml
