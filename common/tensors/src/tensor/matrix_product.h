// SPDX-License-Identifier: MIT
// The launch of a product of matrices.
#pragma once

#include "core/tensor_impl.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// (batch…, n, k) × (batch…, k, m) as a new tensor of shape `result`; plus `added`, unless it is null, broadcast.
Tensor product(const Tensor& a, const Tensor& b, const Dimensions& batch, const Dimensions& result,
               const TensorImpl* added = nullptr);

}  // namespace d2l::detail
