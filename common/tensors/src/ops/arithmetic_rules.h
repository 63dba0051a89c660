// SPDX-License-Identifier: MIT
// The arithmetic that PyTorch refuses, and the dtype in which it computes the rest.
#pragma once

#include "ops/launch.h"

namespace d2l::detail {

/// The dtype in which an elementwise operation on operands of dtype `common` computes; TypeError for bool where
/// PyTorch refuses it. It may have no kernel for an integer type, of which the result is a copy: see Types::fractions.
ScalarType computation_type(Operation operation, ScalarType common);
/// The dtype of its result: the same, or bool for a comparison.
inline ScalarType output_type(Operation operation, ScalarType computation) {
  return info(operation).kind == backend::OperationKind::comparison ? kBool : computation;
}
/// TypeError for a subtraction with a bool.
void check_subtraction(Operation operation, ScalarType a, ScalarType b);
/// TypeError or ValueError when `alpha` does not suit a result of dtype `type`.
void check_alpha(Operation operation, ScalarType type, const Scalar& alpha);
/// ValueError for an integer to the power of a negative integer.
void check_exponent(const Tensor& base, const Scalar& exponent);
///@{
/// ValueError for a division of integers by a 0 that the host can read: a number, or an element of a CPU tensor.
void check_divisor(ScalarType computation, const TensorImpl& a, const Scalar& b, const char* operation);
void check_divisor(ScalarType computation, const TensorImpl& a, const TensorImpl& b, const char* operation);
///@}
/// Whether the operation divides, so that a divisor must be checked.
inline bool divides(Operation operation) {
  return operation == Operation::remainder || operation == Operation::floor_divide;
}
/// TypeError, with the name of PyTorch's kernel, unless the dtype is floating point.
void check_floating(const TensorImpl& x, const char* operation, const char* kernel);
/// ShapeError unless the shapes broadcast, DeviceError unless the tensors are on one device.
void check_operands(Operation operation, const TensorImpl& a, const TensorImpl& b);

inline bool is_one(const Scalar& number) { return !number.isBoolean() && number.toDouble() == 1; }
/// a × b for an operation computed in `type`; integers wrap around.
Scalar product(const Scalar& a, const Scalar& b, ScalarType type);

}  // namespace d2l::detail
