// SPDX-License-Identifier: MIT
// The references of the elementwise operations, from the table of operations: references::exp{}(x, y), and so on.
#pragma once

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

#define D2L_REFERENCE(name, reference)                               \
  struct name {                                                      \
    template <class R>                                               \
    R operator()([[maybe_unused]] R x, [[maybe_unused]] R y) const { \
      return static_cast<R>(reference);                              \
    }                                                                \
  };
#define D2L_PUBLIC(name, types, flops, derivative, keeps, reference) D2L_REFERENCE(name, reference)
#define D2L_INTERNAL(name, kind, flops, reference) D2L_REFERENCE(name, reference)
D2L_UNARY_OPERATIONS(D2L_PUBLIC)
D2L_BINARY_OPERATIONS(D2L_PUBLIC)
D2L_COMPARISONS(D2L_REFERENCE)
D2L_INTERNAL_OPERATIONS(D2L_INTERNAL)
#undef D2L_REFERENCE
#undef D2L_PUBLIC
#undef D2L_INTERNAL

}  // namespace references

}  // namespace d2l::testing
