// SPDX-License-Identifier: MIT
// Dispatch: the one way to launch a kernel. It checks devices and memory, tells the ledgers, and calls the backend.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "core/construct.h"
#include "core/messages.h"
#include "core/tensor_impl.h"
#include "kernels/kernel.h"

namespace d2l::detail {

using backend::KernelArguments;
using backend::Operation;

/// What an elementwise operation reads: a tensor or a number.
struct Argument {
  Argument(const TensorImpl& impl) : tensor(&impl) {}  // NOLINT(google-explicit-constructor)
  Argument(const Scalar& scalar) : number(scalar) {}   // NOLINT(google-explicit-constructor)
  Argument(const Tensor& from, const char* operation) : tensor(&impl_of(from, operation)) {}
  const TensorImpl* tensor = nullptr;
  Scalar number;
};

/// The shape that two tensors share; ShapeError when there is none.
Dimensions broadcast_shapes(const TensorImpl& a, const TensorImpl& b, const char* operation);
/// The device that all of them are on, CPU tensors without dimensions aside; DeviceError when there is none.
Device common_device(const char* operation, std::initializer_list<const TensorImpl*> tensors);
/// What an error calls operands.
using OperandNames = std::array<std::string_view, 3>;
/// The one device of all of them, without exception; DeviceError when there is none.
Device same_device(const char* operation, std::initializer_list<const TensorImpl*> tensors,
                   const OperandNames& names = {"a", "b", "c"});

/// f(a) or f(a, b), computed in `compute`, as a new tensor of dtype `result` (which is `compute`, or bool).
Tensor elementwise(Operation operation, const Argument& a, ScalarType compute);
Tensor elementwise(Operation operation, const Argument& a, const Argument& b, ScalarType compute, ScalarType result);
/// The same, written into `out`, whose shape is the broadcast shape and whose dtype may be any.
void elementwise_into(Operation operation, const TensorImpl& out, const Argument& a, ScalarType compute);
void elementwise_into(Operation operation, const TensorImpl& out, const Argument& a, const Argument& b,
                      ScalarType compute);
/// Sets every element of `out`.
void fill(const TensorImpl& out, const Scalar& value);
/// out = source, on one device, converted and broadcast.
void copy_within_device(const TensorImpl& out, const TensorImpl& source);
/// `tensor` with another dtype, on its device; itself when it has that dtype.
Tensor converted(const Tensor& tensor, ScalarType dtype);
/// `tensor` in row-major order, on its device; itself when it is so.
Tensor row_major(const Tensor& tensor);

/// Arguments whose sizes are {outer, n, inner}: a shape around one of its dimensions.
KernelArguments lines_along(const Dimensions& sizes, int dim);
/// The operand of a kernel that takes whole arrays: all of `tensor`, with no strides set.
backend::Operand whole(const TensorImpl& tensor);
/// A number as kernels of `dtype` take it.
backend::Immediate immediate(const Scalar& number, ScalarType dtype);
/// The single element of a CPU tensor, which is there by now.
Scalar read_number(const TensorImpl& tensor);

/// Hands a kernel to the queue of `device`. `bytes` and `flops` are for the ledgers.
void launch(Operation operation, Device device, const KernelArguments& arguments, std::int64_t bytes,
            std::int64_t flops);
/// Before a kernel or copy of `device` reads or writes these tensors: waits for copies under way, checks placement.
void prepare(Operation operation, const TensorImpl& out, std::initializer_list<const TensorImpl*> inputs);

}  // namespace d2l::detail
