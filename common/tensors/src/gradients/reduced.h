// SPDX-License-Identifier: MIT
// For derivatives of reductions: the shapes of the input and of the result.
#pragma once

#include "autograd/recorded_operation.h"
#include "ops/elementwise_launch.h"

namespace d2l::detail::derivatives {

/// `values` with a dimension of size 1 for each reduced one.
inline Tensor with_reduced_dimensions(const RecordedOperation& operation, const Tensor& values) {
  const bool kept = operation.integers[0] != 0;
  if (kept) return values;
  auto shape = operation.inputs[0].sizes;
  for (int i = 0; i < operation.dims.count; ++i) shape[static_cast<int>(operation.dims[i])] = 1;
  return values.reshape(shape.ref());
}

/// How many elements of the input each element of the result comes from.
inline std::int64_t reduced_count(const RecordedOperation& operation) {
  std::int64_t count = 1;
  for (int i = 0; i < operation.dims.count; ++i) {
    count *= operation.inputs[0].sizes[static_cast<int>(operation.dims[i])];
  }
  return count;
}

/// a / b, and 0 where b is 0.
inline Tensor divided_or_zero(const Tensor& a, const Tensor& b) {
  return elementwise(Operation::div_or_zero, Argument(*a.impl()), Argument(*b.impl()), a.dtype(), a.dtype());
}

}  // namespace d2l::detail::derivatives
