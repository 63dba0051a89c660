// SPDX-License-Identifier: MIT
// Elements: the C++ type of each dtype inside a kernel, and conversions that are defined for every value.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include "backend/kernel.h"

// Functions that kernels call: nvcc compiles them for the GPU too.
#ifdef __CUDACC__
#define D2L_HOST_DEVICE __host__ __device__
#define D2L_DEVICE __device__
#else
#define D2L_HOST_DEVICE
#define D2L_DEVICE
#endif

namespace d2l::backend::kernels {

/// A bool in memory: one byte, of any value while it is uninitialised.
struct Boolean {
  std::uint8_t value;
};

/// The type that holds an element of a dtype.
template <ScalarType type>
using Element =
    std::tuple_element_t<static_cast<std::size_t>(type),
                         std::tuple<Boolean, std::uint8_t, std::int32_t, std::int64_t, Half, BFloat16, float, double>>;

template <class T>
inline constexpr bool is_boolean = std::is_same_v<T, Boolean>;
template <class T>
inline constexpr bool is_floating = std::is_floating_point_v<T>;
/// An element of 16 bits: a kernel computes with floats, and rounds when it stores.
template <class T>
inline constexpr bool is_sixteen_bits = d2l::detail::is_sixteen_bits<T>;
/// The type in which a kernel computes elements of T.
template <class T>
using Compute = std::conditional_t<is_sixteen_bits<T>, float, T>;

/// An unsigned integer of an element's size, for kernels that only move elements.
template <class T>
using ElementBits =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// A floating-point number as an integer: towards zero, clamped, and 0 for NaN.
template <class To, class From>
D2L_HOST_DEVICE inline To truncate(From value) {
  constexpr From lowest = static_cast<From>(std::numeric_limits<To>::min());
  constexpr To half = std::numeric_limits<To>::max() / 2 + 1;
  constexpr From beyond = static_cast<From>(half) * From{2};
  if (value != value) return To{0};
  if (value < lowest) return std::numeric_limits<To>::min();
  if (value >= beyond) return std::numeric_limits<To>::max();
  return static_cast<To>(value);
}

/// An element as another type: integers wrap, floating-point numbers lose their fraction, bool is "not zero".
template <class To, class From>
D2L_HOST_DEVICE inline To convert(From value) {
  if constexpr (is_boolean<From>) {
    return convert<To>(static_cast<std::uint8_t>(value.value != 0));
  } else if constexpr (is_sixteen_bits<From>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (is_sixteen_bits<To>) {
    return To(convert<float>(value));
  } else if constexpr (is_boolean<To>) {
    return Boolean{static_cast<std::uint8_t>(value != From{0})};
  } else if constexpr (is_floating<From> && std::is_same_v<To, std::uint8_t>) {
    return static_cast<To>(truncate<std::int64_t>(value));
  } else if constexpr (is_floating<From> && !is_floating<To>) {
    return truncate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

/// A result as an element; one of 16 bits is rounded.
template <class Out, class Result>
D2L_HOST_DEVICE inline Out stored(Result result) {
  if constexpr (is_sixteen_bits<Out>) {
    return Out(result);
  } else {
    return result;
  }
}

/// The value by which elements are compared.
template <class T>
D2L_HOST_DEVICE inline auto comparable(T value) {
  if constexpr (is_boolean<T>) {
    return static_cast<std::uint8_t>(value.value != 0);
  } else {
    return value;
  }
}

/// The number that stands in place of an array.
template <class T>
inline T number(const Immediate& immediate) {
  if constexpr (is_sixteen_bits<T>) {
    return T(static_cast<float>(immediate.real));
  } else if constexpr (is_floating<T>) {
    return static_cast<T>(immediate.real);
  } else {
    return convert<T>(immediate.integer);
  }
}

}  // namespace d2l::backend::kernels
