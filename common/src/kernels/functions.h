// SPDX-License-Identifier: MIT
// The functions of one element or two that the elementwise kernels apply; each rounds as PyTorch's does.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/element.h"

namespace d2l::backend::kernels {

/// Integers as unsigned ones, which wrap where signed ones would be undefined.
template <class T>
using Wrapping = std::make_unsigned_t<T>;

template <class To>
struct ConvertTo {
  template <class From>
  D2L_HOST_DEVICE To operator()(From value) const {
    return convert<To>(value);
  }
};

struct Neg {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (is_floating<T>) {
      return -a;
    } else {
      return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
    }
  }
};

struct Abs {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (is_floating<T>) {
      return std::fabs(a);
    } else if constexpr (std::is_unsigned_v<T>) {
      return a;
    } else {
      return a < T{0} ? Neg{}(a) : a;
    }
  }
};

struct Relu {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    if constexpr (std::is_unsigned_v<T>) {
      return a;
    } else {
      return a < T{0} ? T{0} : a;
    }
  }
};

struct Sqrt {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return std::sqrt(a);
  }
};

struct Exp {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return std::exp(a);
  }
};

struct Log {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return std::log(a);
  }
};

struct Sigmoid {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return T{1} / (T{1} + std::exp(-a));
  }
};

struct Tanh {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return std::tanh(a);
  }
};

struct Add {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (is_boolean<T>) {
      return Boolean{static_cast<std::uint8_t>((a.value | b.value) != 0)};
    } else if constexpr (is_floating<T>) {
      return a + b;
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
  }
};

struct Sub {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (is_floating<T>) {
      return a - b;
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    }
  }
};

struct Mul {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (is_boolean<T>) {
      return Boolean{static_cast<std::uint8_t>((a.value != 0) & (b.value != 0))};
    } else if constexpr (is_floating<T>) {
      return a * b;
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
  }
};

struct Div {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a, T b) const {
    return a / b;
  }
};

/// Integers wrap; to a negative power they are 0, or what 1 and -1 give.
struct Pow {
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

// Powers whose exponent is one number for all elements.
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
struct InverseSqrt {
  template <class T>
  D2L_HOST_DEVICE T operator()(T a) const {
    return T{1} / std::sqrt(a);
  }
};

/// A comparison of two elements, as a Boolean.
template <class Compare>
struct Comparison {
  template <class T>
  D2L_HOST_DEVICE Boolean operator()(T a, T b) const {
    if constexpr (is_boolean<T>) {
      return Boolean{static_cast<std::uint8_t>(Compare{}(a.value != 0, b.value != 0))};
    } else {
      return Boolean{static_cast<std::uint8_t>(Compare{}(a, b))};
    }
  }
};
#define D2L_COMPARE(Name, symbol)                     \
  struct Name {                                       \
    template <class T>                                \
    D2L_HOST_DEVICE bool operator()(T a, T b) const { \
      return a symbol b;                              \
    }                                                 \
  };
D2L_COMPARE(Equal, ==)
D2L_COMPARE(NotEqual, !=)
D2L_COMPARE(Less, <)
D2L_COMPARE(LessEqual, <=)
D2L_COMPARE(Greater, >)
D2L_COMPARE(GreaterEqual, >=)
#undef D2L_COMPARE

}  // namespace d2l::backend::kernels
