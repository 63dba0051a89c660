// SPDX-License-Identifier: MIT
// The state of a recorded slice, which the parts of split() are too.
#pragma once

#include <cstdint>

namespace d2l::detail {

/// The indices from `start` on, a `step` apart, along a dimension.
struct Sliced {
  std::int64_t dim;
  std::int64_t start;
  std::int64_t step;
};

}  // namespace d2l::detail
