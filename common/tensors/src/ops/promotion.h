// SPDX-License-Identifier: MIT
// Type promotion: the dtype of an operation on mixed operands, by PyTorch's categories bool < integer < floating point.
#pragma once

#include <initializer_list>

#include "d2l/dtype.h"
#include "d2l/scalar.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// The common dtype of two defined tensors; one without dimensions only counts if its category is higher.
ScalarType result_type(const Tensor& a, const Tensor& b) noexcept;
/// The same of any number of them.
ScalarType result_type(std::initializer_list<const Tensor*> tensors) noexcept;
/// The common dtype of a tensor and a number, which only counts if its category is higher.
ScalarType result_type(const Tensor& tensor, const Scalar& number) noexcept;
/// The same of a dtype.
ScalarType result_type(ScalarType dtype, const Scalar& number) noexcept;
/// The dtype of two numbers.
ScalarType result_type(const Scalar& a, const Scalar& b) noexcept;
/// Whether a result of dtype `from` may be written, in place, into a tensor of dtype `to`.
bool can_cast(ScalarType from, ScalarType to) noexcept;

}  // namespace d2l::detail
