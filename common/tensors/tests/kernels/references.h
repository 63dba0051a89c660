// SPDX-License-Identifier: MIT
// The references of the elementwise operations, from the table of operations: references::exp{}(x, y), and so on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/operations.h"

namespace d2l::testing {

__extension__ typedef __int128 Integer128;

/// The numbers in which references compute: wide integers, which the dtype then wraps, or floating-point numbers.
template <class T>
using Number = std::conditional_t<std::is_floating_point_v<T>, T, Integer128>;

namespace references {

/// Of integers: modulo 2⁶⁴.
template <class R>
R power(R base, R exponent) {
  if constexpr (std::is_floating_point_v<R>) {
    return std::pow(base, exponent);
  } else {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    std::uint64_t result = 1;
    auto factor = static_cast<std::uint64_t>(base);
    for (auto rest = static_cast<std::uint64_t>(exponent); rest > 0; rest /= 2, factor *= factor) {
      result *= rest % 2 == 1 ? factor : 1;
    }
    return static_cast<R>(result);
  }
}

/// The rest of x / y with the sign of y; 0 for integers and y = 0.
template <class R>
R modulus(R x, R y) {
  R rest = 0;
  if constexpr (std::is_floating_point_v<R>) {
    rest = std::fmod(x, y);
  } else {
    rest = y == 0 ? 0 : x % y;
  }
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/// x / y, rounded down; 0 for integers and y = 0.
template <class R>
R floored_quotient(R x, R y) {
  if constexpr (std::is_floating_point_v<R>) {
    const R rest = std::fmod(x, y);
    const R quotient = (x - rest) / y - (rest != 0 && (rest < 0) != (y < 0) ? 1 : 0);
    return y == 0 ? x / y : std::floor(quotient) + (quotient - std::floor(quotient) > R{0.5} ? 1 : 0);
  } else {
    return y == 0 ? 0 : (x - modulus(x, y)) / y;
  }
}

/// x rounded to decimals, of which |power| is the power of ten.
template <class R>
R rounded(R x, R power) {
  return power < 0 ? std::nearbyint(x / -power) * -power : std::nearbyint(x * power) / power;
}

template <class R>
R clamped(R x, R low, R high) {
  return std::min(std::max(x, low), high);
}

// The activations and their slopes, in the order of PyTorch's formulas, so that they round alike.
template <class R>
R gaussian_unit(R x) {
  return (x + x * std::erf(x * static_cast<R>(0.70710678118654752440))) / 2;
}
template <class R>
R gaussian_slope(R x) {
  const R density = static_cast<R>(0.39894228040143267794) * std::exp(x * x / -2);
  return (1 + std::erf(x * static_cast<R>(0.70710678118654752440))) / 2 + x * density;
}
template <class R>
R tangent_of_unit(R x) {
  return std::tanh(static_cast<R>(0.79788456080286535588) * (x + static_cast<R>(0.044715) * (x * x * x)));
}
template <class R>
R tanh_unit(R x) {
  return x / 2 * (1 + tangent_of_unit(x));
}
template <class R>
R tanh_slope(R x) {
  const R inner = static_cast<R>(0.79788456080286535588) * (1 + static_cast<R>(3 * 0.044715) * (x * x));
  const R tangent = tangent_of_unit(x);
  return (1 + tangent) / 2 + x / 2 * (1 - tangent * tangent) * inner;
}
template <class R>
R sigmoid_slope(R x) {
  const R s = 1 / (1 + std::exp(-x));
  return s * (1 + x * (1 - s));
}
template <class R>
R softplus_slope(R gradient, R x, R beta, R threshold) {
  const R power = std::exp(x * beta);
  return x * beta > threshold ? gradient : gradient * power / (power + 1);
}

template <class R>
R huber_of(R x, R y, R delta, R divisor) {
  const R distance = std::abs(x - y);
  return (distance <= delta ? distance * distance / 2 : delta * (distance - delta / 2)) / divisor;
}
template <class R>
R logits_cross_entropy_of(R x, R target, R positive) {
  const R rest = (1 + (positive - 1) * target) * std::log1p(std::exp(-std::abs(x)));
  return x > 0 ? rest + (1 - target) * x : rest - positive * target * x;
}

#define D2L_REFERENCE(name, reference)                                                       \
  struct name {                                                                              \
    template <class R>                                                                       \
    R operator()([[maybe_unused]] R x, [[maybe_unused]] R y = {}, [[maybe_unused]] R z = {}, \
                 [[maybe_unused]] R w = {}) const {                                          \
      return static_cast<R>(reference);                                                      \
    }                                                                                        \
  };
#define D2L_PUBLIC(name, types, flops, derivative, keeps, reference) D2L_REFERENCE(name, reference)
#define D2L_INTERNAL(name, kind, flops, reference) D2L_REFERENCE(name, reference)
#define D2L_CHOICE(name, types, inputs, flops, reference) D2L_REFERENCE(name, reference)
D2L_UNARY_OPERATIONS(D2L_PUBLIC)
D2L_BINARY_OPERATIONS(D2L_PUBLIC)
D2L_PAIR_OPERATIONS(D2L_PUBLIC)
D2L_COMPARISONS(D2L_REFERENCE)
D2L_LOGICAL_OPERATIONS(D2L_REFERENCE)
D2L_INTERNAL_OPERATIONS(D2L_INTERNAL)
D2L_CHOICE_OPERATIONS(D2L_CHOICE)
#undef D2L_REFERENCE
#undef D2L_PUBLIC
#undef D2L_INTERNAL
#undef D2L_CHOICE

}  // namespace references

}  // namespace d2l::testing
