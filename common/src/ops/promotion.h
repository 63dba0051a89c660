// SPDX-License-Identifier: MIT
// Type promotion: the dtype of an operation on mixed operands, by PyTorch's categories bool < integer < floating point.
#pragma once

#include "d2l/dtype.h"
#include "d2l/scalar.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// The common dtype of two defined tensors; one without dimensions only counts if its category is higher.
ScalarType result_type(const Tensor& a, const Tensor& b) noexcept;
/// The common dtype of a tensor and a number, which only counts if its category is higher.
ScalarType result_type(const Tensor& tensor, const Scalar& number) noexcept;
/// Whether a result of dtype `from` may be written, in place, into a tensor of dtype `to`.
bool can_cast(ScalarType from, ScalarType to) noexcept;

}  // namespace d2l::detail
