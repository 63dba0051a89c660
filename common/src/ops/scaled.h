// SPDX-License-Identifier: MIT
// a ± alpha × b, by one kernel if the tensors have the same layout.
#pragma once

#include "ops/elementwise_launch.h"

namespace d2l::detail {

/// a ± alpha × b: `operation` is add or sub, `type` is the dtype of the result.
Tensor sum_scaled(Operation operation, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha, ScalarType type);
/// out = out ± alpha × b.
void add_scaled_into(Operation operation, const TensorImpl& out, const TensorImpl& b, const Scalar& alpha,
                     ScalarType type);

}  // namespace d2l::detail
