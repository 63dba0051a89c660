// SPDX-License-Identifier: MIT
// The few declarations of NVML that are used; a toolkit may lack nvml.h.
#pragma once

namespace d2l::backend::cuda::nvml {

/// nvmlReturn_t: 0 is success.
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
