// SPDX-License-Identifier: MIT
// The functions by which Gloo joins elements.
#pragma once

#include <cstddef>
#include <cstdint>

#include "d2l/distributed/reduce_op.h"
#include "d2l/dtype.h"

namespace d2l::distributed::detail {

/// out = a joined with b, of `count` elements; out may be a or b.
using Reduction = void (*)(void* out, const void* a, const void* b, std::size_t count);

/// The reduction of a dtype. AVG adds; divide() follows.
Reduction reduction_of(ScalarType dtype, ReduceOp op);
/// Divides floating-point elements.
void divide(void* data, std::int64_t count, ScalarType dtype, int divisor);

}  // namespace d2l::distributed::detail
