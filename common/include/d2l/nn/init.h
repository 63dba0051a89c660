// SPDX-License-Identifier: MIT
// Initial values of parameters, written in place; nothing of it is recorded.
#pragma once

#include "d2l/tensor.h"

namespace d2l::nn::init {

/// Uniform in [low, high); the same numbers on every device.
Tensor uniform_(Tensor tensor, double low = 0, double high = 1);
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
Tensor constant_(Tensor tensor, Scalar value);
Tensor zeros_(Tensor tensor);
Tensor ones_(Tensor tensor);
/// Uniform within ±√(6 / ((1 + a²) × fan_in)), where fan_in is the product of all sizes but the first; ShapeError for
/// fewer than two dimensions.
Tensor kaiming_uniform_(Tensor tensor, double a = 0);

}  // namespace d2l::nn::init
