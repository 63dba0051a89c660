// SPDX-License-Identifier: MIT
// The functions of one element or two that gradients are made of; each rounds as PyTorch's does.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/element.h"

namespace d2l::backend::kernels {

/// The derivative of the absolute value; 0 at 0 and for NaN.
struct Sign {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return static_cast<T>(static_cast<int>(a > T{0}) - static_cast<int>(a < T{0}));
  }
};

/// The smaller one, or NaN where either is.
struct Minimum {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    const T smaller = b < a ? b : a;
    return b != b ? b : smaller;
  }
};

struct SquaredDifference {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    return (a - b) * (a - b);
  }
};

struct DivOrZero {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    return b == T{0} ? T{0} : a / b;
  }
};

/// What the exponent's gradient of result = pow(base, exponent) is multiplied by.
struct PowerLog {
  template <class T>
  D2L_HOST_DEVICE T operator()(T result, T base) const {
    const bool finite = std::fabs(result) <= std::numeric_limits<T>::max();
    return base == T{0} && finite ? T{0} : result * std::log(base);
  }
};

// The gradient of a function's input from that of its result, and the result `y`.

struct ReluBackward {
  template <class T>
  D2L_HOST_DEVICE T operator()(T grad, T y) const {
    return y <= T{0} ? T{0} : grad;
  }
};

struct SigmoidBackward {
  template <class T>
  D2L_HOST_DEVICE T operator()(T grad, T y) const {
    return grad * (T{1} - y) * y;
  }
};

struct TanhBackward {
  template <class T>
  D2L_HOST_DEVICE T operator()(T grad, T y) const {
    return grad * (T{1} - y * y);
  }
};

}  // namespace d2l::backend::kernels
