// SPDX-License-Identifier: MIT
// Elementwise launches, on operands of any layout: functions of one or two operands, fill and copy.
#pragma once

#include "core/construct.h"
#include "core/messages.h"
#include "ops/launch.h"

namespace d2l::detail {

/// An operand of an elementwise operation: a tensor or a number.
struct Argument {
  Argument(const TensorImpl& impl) : tensor(&impl) {}  // NOLINT(google-explicit-constructor)
  Argument(const Scalar& scalar) : number(scalar) {}   // NOLINT(google-explicit-constructor)
  Argument(const Tensor& from, const char* operation) : tensor(&impl_of(from, operation)) {}
  const TensorImpl* tensor = nullptr;
  Scalar number;
};

/// f(a) or f(a, b), computed in `compute`, as a new tensor of dtype `result` (which is `compute`, or bool).
Tensor elementwise(Operation operation, const Argument& a, ScalarType compute);
Tensor elementwise(Operation operation, const Argument& a, const Argument& b, ScalarType compute, ScalarType result);
/// The same, written into `out`, whose shape is the broadcast shape and whose dtype may be any.
void elementwise_into(Operation operation, const TensorImpl& out, const Argument& a, ScalarType compute);
void elementwise_into(Operation operation, const TensorImpl& out, const Argument& a, const Argument& b,
                      ScalarType compute);
/// out = f(a, b, c, …), for an operation of the kind choice. The inputs broadcast to the shape of `out`, whose dtype
/// may be any. All are converted to `compute`, except for the last of `where`, which is converted to bool.
void choice_into(Operation operation, const TensorImpl& out, std::initializer_list<Argument> inputs,
                 ScalarType compute);
/// Sets every element of `out`.
void fill(const TensorImpl& out, const Scalar& value);
/// out = source, on one device, converted and broadcast.
void copy_within_device(const TensorImpl& out, const TensorImpl& source);
/// `tensor` with another dtype, on its device; the tensor itself when it has that dtype.
Tensor converted(const Tensor& tensor, ScalarType dtype);
/// `tensor` in row-major order, on its device; the tensor itself when it is row-major.
Tensor row_major(const Tensor& tensor);

/// a ± alpha × b: `operation` is add or sub, `type` is the dtype of the result.
Tensor sum_scaled(Operation operation, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha, ScalarType type);
/// out = out ± alpha × b.
void add_scaled_into(Operation operation, const TensorImpl& out, const TensorImpl& b, const Scalar& alpha,
                     ScalarType type);

}  // namespace d2l::detail
