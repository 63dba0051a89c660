// SPDX-License-Identifier: MIT
// Nvml: the driver's management library, which knows how warm and how busy a card is; loaded at run time, never needed.
#pragma once

#include <string>

#include "backend/cuda/nvml_types.h"

namespace d2l::backend::cuda {

/// What a card measures of itself; -1 where it does not say.
struct Telemetry {
  int utilisation = -1;     ///< percent
  int temperature = -1;     ///< degrees Celsius
  double power = -1;        ///< watts
  double power_limit = -1;  ///< watts
};

/// The card at a PCI address; CUDA numbers cards otherwise than NVML does.
Telemetry telemetry(const std::string& bus_id) noexcept;
/// The version of the driver, such as "570.86.10"; empty when NVML is not there.
std::string nvml_driver_version() noexcept;

}  // namespace d2l::backend::cuda
