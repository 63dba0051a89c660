// SPDX-License-Identifier: MIT
// What the operands of an operation must have in common: a shape, a device, and no overlapping memory.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// The shape that two tensors broadcast to; ShapeError when they do not.
Dimensions broadcast_shapes(const TensorImpl& a, const TensorImpl& b, const char* operation);
/// The shape that all tensors broadcast to; ShapeError when they do not.
Dimensions broadcast_shapes(const char* operation, std::initializer_list<const TensorImpl*> tensors);

/// The names of operands in error messages.
using OperandNames = std::array<std::string_view, 3>;

/// The device of all tensors; DeviceError when there are two. A CPU tensor without dimensions may join any device.
Device common_device(const char* operation, std::initializer_list<const TensorImpl*> tensors);
/// The device of all tensors, without that exception; DeviceError when there are two.
Device same_device(const char* operation, std::initializer_list<const TensorImpl*> tensors,
                   const OperandNames& names = {"a", "b", "c"});

/// ValueError when two elements of `out` have the same address.
void check_no_internal_overlap(const TensorImpl& out, const char* operation);
/// `input`, or a copy of it in `kept` if its memory may overlap that of `out`. ValueError if it certainly overlaps,
/// unless both are the same elements in the same order.
const Tensor& safe_to_read(const Tensor& input, const TensorImpl& out, const char* operation, Tensor& kept);

}  // namespace d2l::detail
