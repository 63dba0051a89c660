// SPDX-License-Identifier: MIT
// A reduction over any set of dimensions of a tensor of any layout.
#pragma once

#include <bitset>

#include "ops/elementwise_launch.h"

namespace d2l::detail {

using DimensionSet = std::bitset<max_dimensions>;

struct Reduction {
  DimensionSet dims;     ///< to reduce
  bool keepdim = false;  ///< keep them, with size 1
  ScalarType result = kFloat;
  Scalar of_nothing = 0;      ///< the result over no elements
  Tensor* indices = nullptr;  ///< if not null, gets the indices of the extreme elements
  double correction = 0;      ///< what var and std subtract from the count
};

/// Reduces `x` by a kernel of the kind reduction.
Tensor reduce(Operation operation, const Tensor& x, const Reduction& reduction);

}  // namespace d2l::detail
