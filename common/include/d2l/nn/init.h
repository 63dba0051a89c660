// SPDX-License-Identifier: MIT
/// @file
/// Initial values of parameters, written in place and not recorded for gradients.
#pragma once

#include "d2l/tensor.h"

/// Initial values of parameters.
namespace d2l::nn::init {

/// Uniform in [low, high); the same numbers on every device; TypeError unless floating point.
Tensor uniform_(Tensor tensor, double low = 0, double high = 1);
/// Normal; the same numbers within rounding on every device; TypeError unless floating point.
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
/// One value everywhere, converted to the tensor's dtype; errors as Tensor::fill_().
Tensor constant_(Tensor tensor, Scalar value);
/// 0 everywhere.
Tensor zeros_(Tensor tensor);
/// 1 everywhere.
Tensor ones_(Tensor tensor);
/// Uniform within ±√(6 / ((1 + a²) × fan_in)) (He et al., 2015, as in PyTorch), where fan_in is the product of all
/// sizes but the first; ShapeError for fewer than two dimensions.
Tensor kaiming_uniform_(Tensor tensor, double a = 0);

}  // namespace d2l::nn::init
