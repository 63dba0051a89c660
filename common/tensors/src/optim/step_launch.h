// SPDX-License-Identifier: MIT
// The launch of an optimizer's kernel, which changes a parameter and its state in one pass.
#pragma once

#include <array>

#include "ops/launch.h"

namespace d2l::detail {

/// `state`, or if it is undefined a new tensor in its place, of the parameter's shape, dtype and device, all `value`.
Tensor& state_like(Tensor& state, const Tensor& parameter, double value = 0);

/// Error if this thread captures the work of the device: for a step that makes an optimizer's state.
void refuse_first_step(Device device);

/// Launches the kernel of a step on the parameter, its gradient and its state (undefined tensors are left out).
/// ShapeError, TypeError or DeviceError, with the optimizer's name, if the gradient does not fit the parameter;
/// ShapeError if the state does not.
void launch_step(Operation operation, const char* optimizer, const Tensor& parameter, const Tensor& gradient,
                 const std::array<Tensor, 3>& state, KernelArguments& arguments);

}  // namespace d2l::detail
