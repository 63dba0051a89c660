// SPDX-License-Identifier: MIT
/// @file
/// Parameters: the tensors of a module that training changes.
#pragma once

#include "d2l/tensor.h"

namespace d2l::nn {

/// A parameter with the elements of `data`; it prints as "Parameter containing: …". TypeError if it requires
/// gradients and the dtype is not floating point.
Tensor Parameter(const Tensor& data, bool requires_grad = true);
/// A parameter with a device and a dtype but no shape; reading it before materialize() is a ValueError.
Tensor UninitializedParameter(const TensorOptions& options = {}, bool requires_grad = true);
/// Whether a parameter has no shape yet.
bool is_uninitialized(const Tensor& parameter) noexcept;
/// Gives an uninitialised parameter a shape; all handles to it see the change. The elements are uninitialised.
/// ValueError if it has a shape already.
void materialize(const Tensor& parameter, IntArrayRef sizes);

}  // namespace d2l::nn
