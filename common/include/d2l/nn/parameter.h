// SPDX-License-Identifier: MIT
/// @file
/// Parameters: the tensors of a module that training changes.
#pragma once

#include "d2l/tensor.h"

namespace d2l::nn {

/// A parameter with the elements of `data`; it prints as "Parameter containing: …". TypeError when gradients are wanted
/// and the dtype is not floating point.
Tensor Parameter(const Tensor& data, bool requires_grad = true);
/// A parameter that has a device and a dtype, and no shape yet; reading it is a ValueError until materialize().
Tensor UninitializedParameter(const TensorOptions& options = {}, bool requires_grad = true);
/// True for a parameter that has no shape yet.
bool is_uninitialized(const Tensor& parameter) noexcept;
/// Gives an uninitialised parameter its shape, on the device and of the dtype that it remembers; who holds it sees the
/// change. Its elements are as memory is found. ValueError when it has a shape already.
void materialize(const Tensor& parameter, IntArrayRef sizes);

}  // namespace d2l::nn
