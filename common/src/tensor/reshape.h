// SPDX-License-Identifier: MIT
// The strides under which a tensor has other sizes.
#pragma once

#include <optional>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// Strides that give `tensor`, in its row-major order, the shape `sizes` of as many elements; none when only a copy
/// can.
std::optional<Dimensions> strides_for(const TensorImpl& tensor, const Dimensions& sizes);

}  // namespace d2l::detail
