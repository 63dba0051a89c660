// SPDX-License-Identifier: MIT
// Parameters: what modules and optimizers do to them.
#pragma once

#include "core/tensor_impl.h"
#include "d2l/nn/parameter.h"

namespace d2l::detail {

/// Marks a tensor as a parameter; it stays the same tensor.
void make_parameter(const Tensor& tensor, bool requires_grad);
/// Another parameter of the same values, or another that has no shape yet; an undefined one of an undefined one.
Tensor clone_parameter(const Tensor& parameter);

/// A parameter and its gradient, moved or converted, beside those that they are to replace.
struct MovedParameter {
  Tensor parameter;
  Tensor values;
  Tensor gradient;
};
/// What to(device, dtype) makes of a parameter; the values are undefined where nothing changes.
MovedParameter moved_parameter(const Tensor& parameter, Device device, ScalarType dtype, bool non_blocking);
/// Puts the moved elements in place: parameter and gradient stay the tensors that they are.
void adopt(const MovedParameter& moved);

/// Sets the gradient to zero, if there is one, or lets go of it.
void clear_gradient(const Tensor& parameter, bool set_to_none);

}  // namespace d2l::detail
