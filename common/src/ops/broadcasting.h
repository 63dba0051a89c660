// SPDX-License-Identifier: MIT
// Broadcasting: the shape that two tensors share.
#pragma once

#include "core/tensor_impl.h"

namespace d2l::detail {

/// The shape that two tensors broadcast to; ShapeError when they do not.
Dimensions broadcast_shapes(const TensorImpl& a, const TensorImpl& b, const char* operation);

}  // namespace d2l::detail
