// SPDX-License-Identifier: MIT
// Operations of modules and optimizers on parameters.
#pragma once

#include "core/tensor_impl.h"
#include "d2l/nn/parameter.h"

namespace d2l::detail {

/// Marks a tensor as a parameter; TypeError, which calls the tensor `name`, for gradients of integers.
void make_parameter(const Tensor& tensor, bool requires_grad, const char* name = "tensor");
/// A new parameter with a copy of the values. The clone of an uninitialised or undefined one is that too.
Tensor clone_parameter(const Tensor& parameter);

/// A parameter with the moved or converted values and gradient that will replace its own.
struct MovedParameter {
  Tensor parameter;
  Tensor values;
  Tensor gradient;
};
/// Moves or converts a parameter; tensors that need no change stay undefined.
MovedParameter moved_parameter(const Tensor& parameter, Device device, ScalarType dtype, bool non_blocking);
/// Replaces values and gradient of the parameter, which stays the same tensor.
void adopt(const MovedParameter& moved);

/// Sets the gradient, if there is one, to zero or releases it.
void clear_gradient(const Tensor& parameter, bool set_to_none);

}  // namespace d2l::detail
