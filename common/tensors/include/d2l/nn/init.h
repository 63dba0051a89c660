// SPDX-License-Identifier: MIT
/// @file
/// Initial values of parameters, written in place and not recorded for gradients.
#pragma once

#include <cstdint>

#include "d2l/tensor.h"

/// Initial values of parameters.
namespace d2l::nn::init {

/// Uniform in [low, high); the same numbers on every device; TypeError unless floating point, ValueError if low is
/// above high.
Tensor uniform_(Tensor tensor, double low = 0, double high = 1);
/// Normal; the same numbers within rounding on every device; TypeError unless floating point, ValueError for a negative
/// standard deviation.
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
/// One value everywhere, converted to the tensor's dtype; errors as Tensor::fill_().
Tensor constant_(Tensor tensor, Scalar value);
/// 0 everywhere.
Tensor zeros_(Tensor tensor);
/// 1 everywhere.
Tensor ones_(Tensor tensor);

/// Which number of connections the Kaiming functions keep the variance for: fan_in, size 1 of the tensor, or fan_out,
/// size 0; both times the product of the sizes after them.
enum class FanMode : std::int8_t {
  fan_in,  ///< the variance of the outputs is kept
  fan_out  ///< the variance of the gradients is kept
};
/// The function that follows a layer.
enum class Nonlinearity : std::int8_t {
  linear,     ///< no function
  sigmoid,    ///< sigmoid()
  tanh,       ///< tanh()
  relu,       ///< relu()
  leaky_relu  ///< a relu() with a slope for negative numbers
};

/// The factor by which a function needs larger weights, as in PyTorch: 1, 5/3 for tanh, √2 for relu, and
/// √(2 / (1 + param²)) for leaky_relu with the slope `param`.
double calculate_gain(Nonlinearity nonlinearity, double param = 0.01);

///@{
/// Uniform within ±gain × √(3 / fan), or normal with the standard deviation gain / √fan (He et al., 2015), where fan is
/// that of `mode` and the gain that of `nonlinearity`, with the slope `a`. An empty tensor is left as it is. ShapeError
/// for fewer than two dimensions; TypeError unless floating point.
Tensor kaiming_uniform_(Tensor tensor, double a = 0, FanMode mode = FanMode::fan_in,
                        Nonlinearity nonlinearity = Nonlinearity::leaky_relu);
Tensor kaiming_normal_(Tensor tensor, double a = 0, FanMode mode = FanMode::fan_in,
                       Nonlinearity nonlinearity = Nonlinearity::leaky_relu);
///@}
///@{
/// Uniform within ±gain × √(6 / (fan_in + fan_out)), or normal with the standard deviation
/// gain × √(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010). An empty tensor is left as it is. ShapeError for fewer
/// than two dimensions; TypeError unless floating point.
Tensor xavier_uniform_(Tensor tensor, double gain = 1);
Tensor xavier_normal_(Tensor tensor, double gain = 1);
///@}

}  // namespace d2l::nn::init

namespace d2l {

inline constexpr auto kFanIn = nn::init::FanMode::fan_in;               ///< the variance of the outputs is kept
inline constexpr auto kFanOut = nn::init::FanMode::fan_out;             ///< the variance of the gradients is kept
inline constexpr auto kLinear = nn::init::Nonlinearity::linear;         ///< no function follows
inline constexpr auto kSigmoid = nn::init::Nonlinearity::sigmoid;       ///< sigmoid() follows
inline constexpr auto kTanh = nn::init::Nonlinearity::tanh;             ///< tanh() follows
inline constexpr auto kReLU = nn::init::Nonlinearity::relu;             ///< relu() follows
inline constexpr auto kLeakyReLU = nn::init::Nonlinearity::leaky_relu;  ///< a ReLU with a slope follows

}  // namespace d2l
