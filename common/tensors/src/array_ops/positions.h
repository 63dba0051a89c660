// SPDX-License-Identifier: MIT
// The positions of true elements, whose number the host reads.
#pragma once

#include "d2l/tensor.h"

namespace d2l::detail {

/// The positions of the true elements of `mask` in row-major order, int64. Their number is read from the device.
Tensor positions_of(const Tensor& mask, const char* operation);
/// The coordinate along `dim` of positions in a row-major array of these sizes.
Tensor coordinate_of(const Tensor& positions, IntArrayRef sizes, int dim);

}  // namespace d2l::detail
