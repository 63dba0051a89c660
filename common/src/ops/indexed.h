// SPDX-License-Identifier: MIT
// One element of each line along a dimension, by its index: reading it, and writing it among zeros.
#pragma once

#include <cstdint>
#include <limits>

#include "ops/dispatch.h"

namespace d2l::detail {

/// An index that no caller gives: nothing is ignored.
inline constexpr std::int64_t no_ignored_index = std::numeric_limits<std::int64_t>::min();

/// The element of each line of `x` along `dim` that `index` (int64, without that dimension) names; 0 where it is
/// `ignored`. An index out of range is an IndexError on the CPU, and makes a GPU lost.
Tensor pick(const Tensor& x, const Tensor& index, int dim, std::int64_t ignored);
/// Zeros of shape `sizes`, but for the element of each line along `dim` that `index` names, which is that of `values`.
Tensor place(const Tensor& values, const Tensor& index, const Dimensions& sizes, int dim, std::int64_t ignored);

}  // namespace d2l::detail
