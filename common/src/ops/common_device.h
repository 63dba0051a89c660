// SPDX-License-Identifier: MIT
// The device of an operation: that of its operands.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// The names of operands in error messages.
using OperandNames = std::array<std::string_view, 3>;

/// The device of all tensors; DeviceError when there are two. A CPU tensor without dimensions may join any device.
Device common_device(const char* operation, std::initializer_list<const TensorImpl*> tensors);
/// The device of all tensors, without that exception; DeviceError when there are two.
Device same_device(const char* operation, std::initializer_list<const TensorImpl*> tensors,
                   const OperandNames& names = {"a", "b", "c"});

}  // namespace d2l::detail
