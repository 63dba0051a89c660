// SPDX-License-Identifier: MIT
// Which GPU's work this thread captures in a graph.
#pragma once

#include "d2l/device.h"

namespace d2l::detail {

/// The number of the GPU whose work this thread captures; -1 if it captures none.
inline thread_local int captured_gpu = -1;

inline bool is_captured(Device device) noexcept { return !device.is_cpu() && device.index() == captured_gpu; }

/// Error if this thread captures the work of `device`, because `reason`: a clause such as "the host waits".
void refuse_in_capture(Device device, const char* operation, const char* reason);

}  // namespace d2l::detail
