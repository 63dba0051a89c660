// SPDX-License-Identifier: MIT
// NVML: the driver's management library, which reports load, temperature and power. It is optional and loaded at run
// time.
#pragma once

#include <string>

#include "d2l/device.h"

namespace d2l::backend::cuda {

/// Fills in utilisation, temperature, power and power limit of the card at properties.bus_id; unknown values stay as
/// they are. CUDA and NVML number cards differently, so the PCI address identifies the card.
void read_telemetry(DeviceProperties& properties) noexcept;
/// The version of the driver, such as "570.86.10"; empty without NVML.
std::string nvml_driver_version() noexcept;

}  // namespace d2l::backend::cuda
