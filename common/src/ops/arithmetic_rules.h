// SPDX-License-Identifier: MIT
// What arithmetic PyTorch refuses, and in which dtype it computes the rest.
#pragma once

#include "ops/dispatch.h"

namespace d2l::detail {

/// The dtype in which an operation on operands of dtype `common` computes; TypeError when it has none.
ScalarType computation_type(Operation operation, ScalarType common);
/// The dtype of its result: that, or bool for a comparison.
inline ScalarType output_type(Operation operation, ScalarType computation) {
  return info(operation).kind == backend::OperationKind::comparison ? kBool : computation;
}
/// TypeError when `-` meets a bool.
void check_subtraction(Operation operation, ScalarType a, ScalarType b);
/// TypeError when `alpha` does not suit a result of dtype `type`.
void check_alpha(Operation operation, ScalarType type, const Scalar& alpha);
/// ValueError when an integer is to be raised to a negative integer.
void check_exponent(const Tensor& base, const Scalar& exponent);
/// Shapes that broadcast, on one device.
void check_operands(Operation operation, const TensorImpl& a, const TensorImpl& b);

inline bool is_one(const Scalar& number) { return !number.isBoolean() && number.toDouble() == 1; }
/// a × b, in the higher of their categories, but a bool where the result's `type` is one.
Scalar product(const Scalar& a, const Scalar& b, ScalarType type);

}  // namespace d2l::detail
