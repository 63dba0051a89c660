// SPDX-License-Identifier: MIT
// a ± alpha × b, in one pass where the tensors lie alike.
#pragma once

#include "ops/dispatch.h"

namespace d2l::detail {

/// `operation` is add or sub; `type` the dtype of the result.
Tensor sum_scaled(Operation operation, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha, ScalarType type);
/// out = out ± alpha × b.
void add_scaled_into(Operation operation, const TensorImpl& out, const TensorImpl& b, const Scalar& alpha,
                     ScalarType type);

}  // namespace d2l::detail
