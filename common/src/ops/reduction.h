// SPDX-License-Identifier: MIT
// One reduction: any set of dimensions of any layout, brought into the form that the kernels take.
#pragma once

#include <bitset>

#include "ops/dispatch.h"

namespace d2l::detail {

using DimensionSet = std::bitset<max_dimensions>;

struct Reduction {
  DimensionSet dims;     ///< over which
  bool keepdim = false;  ///< leave them as sizes of 1
  ScalarType result = kFloat;
  Scalar of_nothing = 0;      ///< the result over no elements
  Tensor* indices = nullptr;  ///< where to put the winners' indices
};

Tensor reduce(Operation operation, const Tensor& x, const Reduction& reduction);

}  // namespace d2l::detail
