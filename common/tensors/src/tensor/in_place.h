// SPDX-License-Identifier: MIT
// Writes in place: what an operation checks before it writes into a tensor, and how the write is recorded.
#pragma once

#include <initializer_list>

#include "autograd/recording.h"

namespace d2l::detail {

/// What `a` points to, if `operation` may write it: ValueError for an undefined tensor, for a leaf that requires
/// gradients, and for two elements at one address.
const TensorImpl& writable(const Tensor& a, const char* operation);
// The name of an operation is without its underscore, which the messages add.

/// TypeError if the dtype of `out` cannot hold a result of dtype `result`.
void check_written_type(const char* operation, const TensorImpl& out, ScalarType result);
/// ShapeError unless the inputs, null for numbers, broadcast to the shape of `out`.
void check_written_shape(const char* operation, const TensorImpl& out, std::initializer_list<const TensorImpl*> inputs);
/// DeviceError unless both are on one device, or `other` is a CPU tensor without dimensions.
void check_written_device(const char* operation, const TensorImpl& out, const TensorImpl& other);
/// After a write to `a`: counts it, and attaches its record, if there is one.
void finish_write(const Tensor& a, Record begun);

}  // namespace d2l::detail
