// SPDX-License-Identifier: MIT
// Checks of the operands of normalisations, some of which may be undefined, and records of such operations.
#pragma once

#include <initializer_list>
#include <utility>

#include "autograd/recording.h"
#include "core/messages.h"

namespace d2l::detail {

using NamedOperands = std::initializer_list<std::pair<const char*, const TensorImpl*>>;

/// The implementation of a tensor, or null if it is undefined.
const TensorImpl* optional_impl(const Tensor& tensor, const char* operation);
/// TypeError unless those that are not null have the dtype of the input.
void check_same_dtype(const char* operation, const TensorImpl& input, NamedOperands others);
/// DeviceError unless those that are not null are on the device of the input.
void check_same_device(const char* operation, const TensorImpl& input, NamedOperands others);

/// is_recorded() for tensors of which some may be undefined.
bool is_any_recorded(std::initializer_list<const Tensor*> inputs) noexcept;
/// record() likewise.
Record record_defined(Recorded kind, const Tensor& input, const Tensor& weight, const Tensor& bias);
/// A saved tensor, or an undefined one where none was saved.
Tensor saved_or_undefined(const RecordedOperation& operation, std::size_t index);

}  // namespace d2l::detail
