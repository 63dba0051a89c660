// SPDX-License-Identifier: MIT
#include "runtime/capturing.h"

#include <fmt/format.h>

#include "d2l/error.h"

namespace d2l::detail {

void refuse_in_capture(Device device, const char* operation, const char* reason) {
  if (!is_captured(device)) return;
  throw Error(fmt::format(
      "[{}] CUDA error: operation not permitted when stream is capturing: this thread captures the work of {} in a "
      "graph, and {}. Move it before capture_begin() or after capture_end()",
      operation, device.str(), reason));
}

}  // namespace d2l::detail
