// SPDX-License-Identifier: MIT
// gather and scatter: one element of each line along a dimension, read or written by its index.
#pragma once

#include <cstdint>
#include <limits>

#include "ops/elementwise_launch.h"

namespace d2l::detail {

/// An ignored index that no index equals.
inline constexpr std::int64_t no_ignored_index = std::numeric_limits<std::int64_t>::min();

/// The element of each line of `x` along `dim` at `index` (int64, without that dimension); −0, of which the losses
/// take the negative, where the index is `ignored`. An index out of range is an IndexError on the CPU; on a GPU it
/// makes the device unusable.
Tensor gather(const Tensor& x, const Tensor& index, int dim, std::int64_t ignored);
/// A tensor of shape `sizes`: `values` at `index` in each line along `dim`, and zeros elsewhere.
Tensor scatter(const Tensor& values, const Tensor& index, const Dimensions& sizes, int dim, std::int64_t ignored);

}  // namespace d2l::detail
