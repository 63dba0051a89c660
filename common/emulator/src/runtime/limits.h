// SPDX-License-Identifier: MIT
// device_limit(): the limits that cudaDeviceSetLimit() sets.
#pragma once

#include <cstddef>

#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

[[nodiscard]] std::size_t device_limit(cudaLimit limit);

}  // namespace d2l::emulator
