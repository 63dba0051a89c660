// SPDX-License-Identifier: MIT
// Runtime: which devices this process has; made on first use, and the library's only global state beside the generator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/backend.h"
#include "d2l/device.h"

namespace d2l::detail {

/// D2L_VIRTUAL_GPUS, taken apart.
struct VirtualGpuSpecification {
  int count = 0;
  std::int64_t memory = std::int64_t{2} << 30;  ///< bytes each
  bool on_host = false;
  std::optional<std::uint64_t> delay_seed;
};
/// Parses COUNT[:MEMORY][@host][,delay=SEED]; ConfigurationError says what is wrong and shows the form.
VirtualGpuSpecification parse_virtual_gpus(const std::string& text);

/// The backend of the GPUs in use: virtual ones if they were asked for, else the physical.
backend::Backend& gpu_backend();
/// The backend of `device`; DeviceError "asked for cuda:2, found 1 GPU" when it does not exist.
backend::Backend& backend_of(Device device);
/// The number that a backend gives `device`: 0 for the CPU.
inline int number_of(Device device) noexcept { return device.is_cpu() ? 0 : device.index(); }
/// What every program that uses virtual GPUs says first; empty when it uses none.
std::string virtual_gpu_notice();
/// Lets the caller say the notice itself, on the standard output; else the library says it on the standard error.
void take_over_virtual_gpu_notice();

}  // namespace d2l::detail
