// SPDX-License-Identifier: MIT
// The activations, their derivatives and the losses: functions that the elementwise kernels apply, beside those of
// functions.h. Each has the name of its operation and computes PyTorch's formula.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/functions.h"

namespace d2l::backend::kernels::functions {

/// a rounded to a number of decimals, of which `power` is the power of ten: negative for digits before the point.
struct round_decimals {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T power) const {
    return power < T{0} ? std::nearbyint(a / -power) * -power : std::nearbyint(a * power) / power;
  }
};

/// a × the normal distribution function of a; NaN for −∞ and, in float32, for ∞, as PyTorch's on a CPU.
struct gelu {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    constexpr T root = static_cast<T>(0.70710678118654752440);  // √½
    const T result = (a + a * std::erf(a * root)) / T{2};
    return sizeof(T) > sizeof(float) || a - a == T{0} ? result : std::numeric_limits<T>::quiet_NaN();
  }
};

struct gelu_backward {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T gradient, T a) const {
    constexpr T root = static_cast<T>(0.70710678118654752440);     // √½
    constexpr T density = static_cast<T>(0.39894228040143267794);  // 1 / √2π
    const T distribution = (T{1} + std::erf(a * root)) / T{2};
    return (distribution + a * (density * std::exp(a * a / T{-2}))) * gradient;
  }
};

/// The tangent that approximates 2 × the normal distribution function - 1.
template <class T>
D2L_HOST_DEVICE T normal_tangent(T a) {
  constexpr T factor = static_cast<T>(0.79788456080286535588);  // √(2 / π)
  return std::tanh(factor * (a + static_cast<T>(0.044715) * (a * a * a)));
}

/// gelu by a hyperbolic tangent.
struct gelu_tanh {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return a / T{2} * (T{1} + normal_tangent(a));
  }
};

struct gelu_tanh_backward {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T gradient, T a) const {
    constexpr T factor = static_cast<T>(0.79788456080286535588);  // √(2 / π)
    const T tangent = normal_tangent(a);
    const T inner = factor * (T{1} + static_cast<T>(3 * 0.044715) * (a * a));
    return ((T{1} + tangent) / T{2} + a / T{2} * (T{1} - tangent * tangent) * inner) * gradient;
  }
};

/// a × sigmoid(a).
struct silu {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return a / (T{1} + std::exp(-a));
  }
};

struct silu_backward {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T gradient, T a) const {
    const T s = T{1} / (T{1} + std::exp(-a));
    return s * (T{1} + a * (T{1} - s)) * gradient;
  }
};

struct leaky_relu {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T slope) const {
    return a > T{0} ? a : a * slope;
  }
};

struct leaky_relu_backward {
  template <class T>
  D2L_HOST_DEVICE T operator()(T gradient, T a, T slope) const {
    return a > T{0} ? gradient : gradient * slope;
  }
};

struct elu {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T alpha) const {
    return a < T{0} ? std::expm1(a) * alpha : a;
  }
};

struct elu_backward {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T gradient, T a, T alpha) const {
    return a <= T{0} ? gradient * alpha * std::exp(a) : gradient;
  }
};

/// log(1 + e^(beta × a)) / beta, and a itself beyond the threshold.
struct softplus {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T beta, T threshold) const {
    return a * beta > threshold ? a : std::log1p(std::exp(a * beta)) / beta;
  }
};

struct softplus_backward {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T gradient, T a, T beta, T threshold) const {
    const T power = std::exp(a * beta);
    return a * beta > threshold ? gradient : gradient * power / (power + T{1});
  }
};

// The losses of one element.

/// (a - b)² / 2 up to a difference of delta, and linear beyond; divided by `divisor`.
struct huber {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b, T delta, T divisor) const {
    const T distance = std::fabs(a - b);
    const T half = T{1} / T{2};
    return (distance <= delta ? half * distance * distance : delta * (distance - half * delta)) / divisor;
  }
};

/// -positive × target × log(sigmoid(a)) - (1 - target) × log(1 - sigmoid(a)); no term of it is a difference of large
/// numbers.
struct logits_cross_entropy {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T target, T positive) const {
    const T rest = (T{1} + (positive - T{1}) * target) * std::log1p(std::exp(-std::fabs(a)));
    return a > T{0} ? rest + (T{1} - target) * a : rest - positive * target * a;
  }
};

}  // namespace d2l::backend::kernels::functions
