// SPDX-License-Identifier: MIT
// For tests: a tensor whose elements are its positions.
#pragma once

#include "every_device.h"

namespace d2l::testing {

/// The integers from 0 on, in row-major order.
inline Tensor counted_from_0(IntArrayRef sizes, Device device) {
  std::int64_t count = 1;
  for (const auto size : sizes) count *= size;
  return arange(count, device).reshape(sizes);
}

}  // namespace d2l::testing
