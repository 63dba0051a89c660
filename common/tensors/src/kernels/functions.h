// SPDX-License-Identifier: MIT
// The functions that the elementwise kernels apply to one or two elements. Each has the name of its operation and
// rounds as PyTorch's function does.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/element.h"
#include "kernels/vector_exp.h"

namespace d2l::backend::kernels {

/// The unsigned type of an integer type. Its arithmetic wraps; signed overflow would be undefined behaviour.
template <class T>
using Wrapping = std::make_unsigned_t<T>;

/// Whether a number is below 0; nvcc warns of that comparison for unsigned integers.
template <class T>
D2L_HOST_DEVICE inline bool is_negative(T a) {
  if constexpr (std::is_unsigned_v<T>) {
    static_cast<void>(a);
    return false;
  } else {
    return a < T{0};
  }
}

template <class To>
struct ConvertTo {
  template <class From>
  D2L_HOST_DEVICE To operator()(From value) const {
    return convert<To>(value);
  }
};

namespace functions {

// A function whose result is one expression of a, or of a and b, for every dtype that it has kernels for.
#define D2L_FUNCTION_OF_ONE(name, result)     \
  struct name {                               \
    template <class T>                        \
    D2L_HOST_DEVICE T operator()(T a) const { \
      return result;                          \
    }                                         \
  };
#define D2L_FUNCTION_OF_TWO(name, result)          \
  struct name {                                    \
    template <class T>                             \
    D2L_HOST_DEVICE T operator()(T a, T b) const { \
      return result;                               \
    }                                              \
  };
// The same for functions of the C library, which no compiler vectorises.
#define D2L_CALL_OF_ONE(name, result)         \
  struct name {                               \
    static constexpr bool one_by_one = true;  \
    template <class T>                        \
    D2L_HOST_DEVICE T operator()(T a) const { \
      return result;                          \
    }                                         \
  };
// An operator: `symbol` for numbers (integers wrap), and `logical_symbol` for bools.
#define D2L_ARITHMETIC(name, symbol, logical_symbol)                                            \
  struct name {                                                                                 \
    template <class T>                                                                          \
    D2L_HOST_DEVICE T operator()(T a, T b) const {                                              \
      if constexpr (is_boolean<T>) {                                                            \
        return Boolean{static_cast<std::uint8_t>((a.value != 0) logical_symbol(b.value != 0))}; \
      } else if constexpr (is_floating<T>) {                                                    \
        return a symbol b;                                                                      \
      } else {                                                                                  \
        return static_cast<T>(static_cast<Wrapping<T>>(a) symbol static_cast<Wrapping<T>>(b));  \
      }                                                                                         \
    }                                                                                           \
  };
#define D2L_COMPARISON(name, symbol)                                                 \
  struct name {                                                                      \
    template <class T>                                                               \
    D2L_HOST_DEVICE Boolean operator()(T a, T b) const {                             \
      return Boolean{static_cast<std::uint8_t>(comparable(a) symbol comparable(b))}; \
    }                                                                                \
  };

struct neg {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (is_floating<T>) {
      return -a;
    } else {
      return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
    }
  }
};

struct abs {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (is_floating<T>) {
      return std::fabs(a);
    } else if constexpr (std::is_unsigned_v<T>) {
      return a;
    } else {
      return a < T{0} ? neg{}(a) : a;
    }
  }
};

struct relu {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (std::is_unsigned_v<T>) {
      return a;
    } else {
      return a < T{0} ? T{0} : a;
    }
  }
};

/// 0 for NaN, as in PyTorch.
struct sign {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (is_boolean<T>) {
      return Boolean{comparable(a)};
    } else {
      return static_cast<T>(static_cast<int>(a > T{0}) - static_cast<int>(is_negative(a)));
    }
  }
};

D2L_FUNCTION_OF_ONE(sqrt, std::sqrt(a))
D2L_FUNCTION_OF_ONE(rsqrt, T{1} / std::sqrt(a))
D2L_FUNCTION_OF_ONE(reciprocal, T{1} / a)
D2L_FUNCTION_OF_ONE(floor, std::floor(a))
D2L_FUNCTION_OF_ONE(ceil, std::ceil(a))
D2L_FUNCTION_OF_ONE(round, std::nearbyint(a))
D2L_CALL_OF_ONE(exp, std::exp(a))
D2L_CALL_OF_ONE(log, std::log(a))
D2L_CALL_OF_ONE(tanh, std::tanh(a))
D2L_CALL_OF_ONE(sin, std::sin(a))
D2L_CALL_OF_ONE(cos, std::cos(a))
D2L_CALL_OF_ONE(erf, std::erf(a))
D2L_CALL_OF_ONE(log1p, std::log1p(a))
D2L_CALL_OF_ONE(expm1, std::expm1(a))

/// 1 / (1 + e^-a). For floats a host takes the exponential that compilers vectorise, of a number that is not positive.
struct sigmoid {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
#ifndef __CUDA_ARCH__
    if constexpr (std::is_same_v<T, float>) {
      const float power = exp_of_nonpositive(-std::abs(a));
      const float larger = 1.0F / (1.0F + power);
      return a < 0.0F ? power * larger : larger;
    }
#endif
    return T{1} / (T{1} + std::exp(-a));
  }
};

D2L_ARITHMETIC(add, +, |)
D2L_ARITHMETIC(sub, -, ^)
D2L_ARITHMETIC(mul, *, &)
D2L_FUNCTION_OF_TWO(div, a / b)

/// For integers, the result wraps, and a negative exponent gives 0 unless the base is 1 or -1.
struct pow {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T base, T exponent) const {
    if constexpr (is_floating<T>) {
      return std::pow(base, exponent);
    } else {
      if constexpr (std::is_signed_v<T>) {
        if (exponent < 0) {
          if (base == T{1}) return T{1};
          if (base == T{-1}) return exponent % 2 == 0 ? T{1} : T{-1};
          return T{0};
        }
      }
      Wrapping<T> result = 1;
      auto factor = static_cast<Wrapping<T>>(base);
      for (auto rest = static_cast<Wrapping<T>>(exponent); rest != 0; rest = static_cast<Wrapping<T>>(rest >> 1)) {
        if ((rest & 1) != 0) result = static_cast<Wrapping<T>>(result * factor);
        factor = static_cast<Wrapping<T>>(factor * factor);
      }
      return static_cast<T>(result);
    }
  }
};

/// The rest of a / b with the sign of b. For integers, the rest of a division by 0 is 0.
struct remainder {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    T rest{0};
    if constexpr (is_floating<T>) {
      rest = std::fmod(a, b);
    } else {
      // The quotient of the smallest number and -1 overflows.
      if (b == T{0} || (std::is_signed_v<T> && b == static_cast<T>(-1))) return T{0};
      rest = static_cast<T>(a % b);
    }
    return rest != T{0} && is_negative(b) != is_negative(rest) ? static_cast<T>(rest + b) : rest;
  }
};

/// a / b, rounded down. For integers, the result wraps, and a division by 0 gives 0.
struct floor_divide {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (is_floating<T>) {
      if (b == T{0}) return a / b;
      const T rest = std::fmod(a, b);
      T quotient = (a - rest) / b;  // an integer, except for rounding
      if (rest != T{0} && is_negative(b) != is_negative(rest)) quotient -= T{1};
      if (quotient == T{0}) return std::copysign(T{0}, a / b);
      const T below = std::floor(quotient);
      return quotient - below > T{0.5} ? below + T{1} : below;
    } else {
      if (b == T{0}) return T{0};
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return neg{}(a);
      const T quotient = static_cast<T>(a / b);
      return a % b != 0 && is_negative(a) != is_negative(b) ? static_cast<T>(quotient - 1) : quotient;
    }
  }
};

/// The larger operand, or NaN if either operand is NaN.
struct maximum {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (is_boolean<T>) {
      return Boolean{static_cast<std::uint8_t>(comparable(a) | comparable(b))};
    } else {
      const T larger = a < b ? b : a;
      return b != b ? b : larger;
    }
  }
};

/// The smaller operand, or NaN if either operand is NaN.
struct minimum {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (is_boolean<T>) {
      return Boolean{static_cast<std::uint8_t>(comparable(a) & comparable(b))};
    } else {
      const T smaller = b < a ? b : a;
      return b != b ? b : smaller;
    }
  }
};

D2L_COMPARISON(eq, ==)
D2L_COMPARISON(ne, !=)
D2L_COMPARISON(lt, <)
D2L_COMPARISON(le, <=)
D2L_COMPARISON(gt, >)
D2L_COMPARISON(ge, >=)

D2L_FUNCTION_OF_TWO(squared_difference, (a - b) * (a - b))
D2L_FUNCTION_OF_TWO(div_or_zero, b == T{0} ? T{0} : a / b)

/// The derivative of result = pow(base, exponent) with respect to the exponent.
struct power_log {
  static constexpr bool one_by_one = true;
  template <class T>
  D2L_HOST_DEVICE T operator()(T result, T base) const {
    const bool finite = std::fabs(result) <= std::numeric_limits<T>::max();
    return base == T{0} && finite ? T{0} : result * std::log(base);
  }
};

// The gradient of a function's input, where b is the function's result and a is the gradient of b.
D2L_FUNCTION_OF_TWO(relu_backward, b <= T{0} ? T{0} : a)
D2L_FUNCTION_OF_TWO(sigmoid_backward, a *(T{1} - b) * b)
D2L_FUNCTION_OF_TWO(tanh_backward, a *(T{1} - b * b))

/// a if the condition is true, else b.
struct where {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b, Boolean condition) const {
    return condition.value != 0 ? a : b;
  }
};

/// a within the bounds, or `high` if low is more than high; NaN if an operand is NaN.
struct clamp {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T low, T high) const {
    const T raised = a < low ? low : a;
    const T result = high < raised ? high : raised;
    return static_cast<bool>((low != low) | (high != high)) ? static_cast<T>(low + high) : result;
  }
};

/// The gradient of the larger of two numbers with respect to `own`; equal ones share it.
struct extreme_backward {
  template <class T>
  D2L_HOST_DEVICE T operator()(T gradient, T own, T other) const {
    const T share = own == other ? gradient / T{2} : gradient;
    return own < other ? T{0} : share;
  }
};

#undef D2L_FUNCTION_OF_ONE
#undef D2L_CALL_OF_ONE
#undef D2L_FUNCTION_OF_TWO
#undef D2L_ARITHMETIC
#undef D2L_COMPARISON

}  // namespace functions

/// pow where all elements have the same small integer exponent.
template <int power>
struct PowerOf {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (power < 0) {
      return T{1} / PowerOf<-power>{}(a);
    } else if constexpr (power == 0) {
      return T{1};
    } else if constexpr (power == 1) {
      return a;
    } else {
      return PowerOf<power - 1>{}(a)*a;
    }
  }
};
}  // namespace d2l::backend::kernels
