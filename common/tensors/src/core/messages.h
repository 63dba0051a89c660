// SPDX-License-Identifier: MIT
// Tensors in error messages, and the most common checks.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/message.h"
#include "core/tensor_impl.h"

namespace d2l::detail {

/// "[2, 3]".
std::string text(IntArrayRef list);
/// "Float [2, 3] on cuda:0".
std::string describe(const TensorImpl& tensor);
/// "(a: Float [2, 3] on cuda:0; b: …)"; null tensors are omitted.
std::string operands(std::initializer_list<std::pair<std::string_view, const TensorImpl*>> list);
/// ValueError: the tensor is undefined.
[[noreturn]] void fail_undefined(const char* operation);
/// ValueError: the tensor is a parameter whose shape is not known yet.
[[noreturn]] void fail_uninitialized(const char* operation);
/// The implementation of a tensor, which may have no shape yet; ValueError if the tensor is undefined.
inline TensorImpl& any_impl_of(const TensorBase& tensor, const char* operation) {
  if (!tensor.defined()) fail_undefined(operation);
  return *tensor.impl();
}
/// The implementation of a tensor; ValueError if it is undefined, or a parameter whose shape is not known yet.
inline TensorImpl& impl_of(const TensorBase& tensor, const char* operation) {
  TensorImpl& impl = any_impl_of(tensor, operation);
  if (impl.parameter == ParameterState::uninitialized) fail_uninitialized(operation);
  return impl;
}

/// `dim` counted from the front; IndexError unless it is one of `count` dimensions (a scalar has one).
int wrap_dimension(std::int64_t dim, int count, const char* operation);

/// The C++ type of a dtype as PyTorch's messages name it: "long int", "c10::Half".
const char* cpp_name(ScalarType type) noexcept;

}  // namespace d2l::detail
