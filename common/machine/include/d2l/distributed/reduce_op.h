// SPDX-License-Identifier: MIT
/// @file
/// ReduceOp: how collectives combine elements.
#pragma once

#include <cstdint>

namespace d2l::distributed {

/// How elements are combined. For bool, SUM and MAX are "or", PRODUCT and MIN are "and". AVG is for floating point.
enum class ReduceOp : std::int8_t {
  SUM,      ///< a + b
  AVG,      ///< the sum, divided by the number of ranks or devices
  PRODUCT,  ///< a × b
  MIN,      ///< the smaller one; nan if one is
  MAX       ///< the larger one; nan if one is
};

}  // namespace d2l::distributed
