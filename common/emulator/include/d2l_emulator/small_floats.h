// SPDX-License-Identifier: MIT
// Floating point numbers of 16 bits, and pairs of them: what cuda_fp16.h and cuda_bf16.h have in common.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "d2l_emulator/atomics.h"
#include "d2l_emulator/vector_types.h"

namespace d2l::emulator {

/// Rounds to a format with this many bits of exponent and mantissa, to nearest even.
template <int exponent_bits, int mantissa_bits>
std::uint16_t to_small(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 31U << 15U);
  constexpr std::uint32_t infinity = ((1U << exponent_bits) - 1U) << mantissa_bits;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return static_cast<std::uint16_t>(infinity | ((1U << mantissa_bits) - 1U));  // NaN
  constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  constexpr int dropped = 23 - mantissa_bits;
  const int exponent = static_cast<int>(magnitude >> 23U) - 127 + bias;
  std::uint32_t mantissa = magnitude & 0x7FFFFFU;
  int shift = dropped;
  std::uint32_t result = 0;
  if (exponent <= 0) {  // subnormal
    if (magnitude >= 0x800000U) mantissa |= 0x800000U;
    shift += magnitude >= 0x800000U ? 1 - exponent : -exponent;
    if (shift > 25) return sign;
  } else {
    result = static_cast<std::uint32_t>(exponent) << mantissa_bits;
  }
  result += mantissa >> shift;
  const std::uint32_t rest = mantissa & ((1U << shift) - 1U);
  const std::uint32_t half = 1U << (shift - 1);
  if (rest > half || (rest == half && (result & 1U) != 0)) ++result;
  return static_cast<std::uint16_t>(sign | (result < infinity ? result : infinity));
}

template <int exponent_bits, int mantissa_bits>
float from_small(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 15U) << 31U;
  constexpr std::uint32_t infinity = (1U << exponent_bits) - 1U;
  constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  const std::uint32_t exponent = (bits >> mantissa_bits) & infinity;
  const std::uint32_t mantissa = bits & ((1U << mantissa_bits) - 1U);
  if (exponent == 0) {
    const float value = std::ldexp(static_cast<float>(mantissa), 1 - bias - mantissa_bits);
    return sign != 0 ? -value : value;
  }
  const std::uint32_t wide = exponent == infinity ? 255U : exponent + static_cast<std::uint32_t>(127 - bias);
  return std::bit_cast<float>(sign | wide << 23U | mantissa << (23U - static_cast<unsigned>(mantissa_bits)));
}

/// A float next to `value`: itself, or the odd one of the two around it. Rounding that once more to a format of at most
/// 22 bits gives what rounding `value` at once would give.
template <class Wide>
float to_odd(Wide value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<Wide>(nearest) == value) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<Wide>(nearest)) > std::fabs(value)) --bits;
  return std::bit_cast<float>(bits | 1U);
}

/// a × b + c, exact in the sense of to_odd(); a and b have at most 26 bits.
inline double odd_multiply_add(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  const double other = sum - product;
  const double lost = (product - (sum - other)) + (c - other);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (!std::isfinite(sum) || lost == 0 || (bits & 1U) != 0) return sum;
  (lost > 0) == (sum > 0) ? ++bits : --bits;
  return std::bit_cast<double>(bits);
}

enum class Rounding { to_nearest, to_zero, up, down };

/// Rounds a number, which may be of another type than float, in a direction.
template <int exponent_bits, int mantissa_bits, class Number>
std::uint16_t to_small(Number number, Rounding rounding) {
  using Wide = std::conditional_t<sizeof(Number) < 8 || std::is_same_v<Number, double>, double, long double>;
  const auto value = static_cast<Wide>(number);
  std::uint16_t bits = to_small<exponent_bits, mantissa_bits>(to_odd(value));
  const auto result = static_cast<Wide>(from_small<exponent_bits, mantissa_bits>(bits));
  if (rounding == Rounding::to_nearest || std::isnan(value) || result == value) return bits;
  if (rounding == Rounding::to_zero) rounding = value > 0 ? Rounding::down : Rounding::up;
  const bool is_negative = (bits & 0x8000U) != 0;
  if (rounding == Rounding::up && result < value) is_negative ? --bits : ++bits;
  if (rounding == Rounding::down && result > value) is_negative ? ++bits : --bits;
  return bits;
}

/// An integer; the nearest one that T has for other numbers, and for NaN 0, or the sign bit of 64 bits.
template <class T>
T to_integer(float value) {
  constexpr T least = std::numeric_limits<T>::min();
  constexpr T largest = std::numeric_limits<T>::max();
  if (std::isnan(value)) return sizeof(T) == 8 ? static_cast<T>(1ULL << 63U) : T(0);
  if (value <= static_cast<float>(least)) return least;
  return value >= static_cast<float>(largest) ? largest : static_cast<T>(value);
}

struct SmallBits {
  unsigned short x;
};

template <int exponent_bits, int mantissa_bits>
struct SmallFloat {
  std::uint16_t bits;

  SmallFloat() = default;
  SmallFloat(SmallBits raw) : bits(raw.x) {}
  SmallFloat(float value) : bits(to_small<exponent_bits, mantissa_bits>(value)) {}
  SmallFloat(double value) : SmallFloat(rounded(value, Rounding::to_nearest)) {}
  operator float() const { return wide(); }
#define D2L_CONVERSION(TYPE)                                                   \
  SmallFloat(TYPE value) : SmallFloat(rounded(value, Rounding::to_nearest)) {} \
  operator TYPE() const { return to_integer<TYPE>(wide()); }
  D2L_CONVERSION(short)
  D2L_CONVERSION(unsigned short)
  D2L_CONVERSION(int)
  D2L_CONVERSION(unsigned)
  D2L_CONVERSION(long)
  D2L_CONVERSION(unsigned long)
  D2L_CONVERSION(long long)
  D2L_CONVERSION(unsigned long long)
#undef D2L_CONVERSION
  template <class Number>
  static SmallFloat rounded(Number value, Rounding rounding) {
    return SmallBits{to_small<exponent_bits, mantissa_bits>(value, rounding)};
  }
  operator bool() const { return (bits & 0x7FFFU) != 0; }
  operator SmallBits() const { return {bits}; }
  [[nodiscard]] float wide() const { return from_small<exponent_bits, mantissa_bits>(bits); }

  friend SmallFloat operator+(const SmallFloat& a, const SmallFloat& b) { return a.wide() + b.wide(); }
  friend SmallFloat operator-(const SmallFloat& a, const SmallFloat& b) { return a.wide() - b.wide(); }
  friend SmallFloat operator*(const SmallFloat& a, const SmallFloat& b) { return a.wide() * b.wide(); }
  friend SmallFloat operator/(const SmallFloat& a, const SmallFloat& b) { return a.wide() / b.wide(); }
  friend SmallFloat& operator+=(SmallFloat& a, const SmallFloat& b) { return a = a + b; }
  friend SmallFloat& operator-=(SmallFloat& a, const SmallFloat& b) { return a = a - b; }
  friend SmallFloat& operator*=(SmallFloat& a, const SmallFloat& b) { return a = a * b; }
  friend SmallFloat& operator/=(SmallFloat& a, const SmallFloat& b) { return a = a / b; }
  friend SmallFloat operator+(const SmallFloat& a) { return a; }
  friend SmallFloat operator-(const SmallFloat& a) { return -a.wide(); }
  friend bool operator==(const SmallFloat& a, const SmallFloat& b) { return a.wide() == b.wide(); }
  friend bool operator!=(const SmallFloat& a, const SmallFloat& b) { return a.wide() != b.wide(); }
  friend bool operator<(const SmallFloat& a, const SmallFloat& b) { return a.wide() < b.wide(); }
  friend bool operator>(const SmallFloat& a, const SmallFloat& b) { return a.wide() > b.wide(); }
  friend bool operator<=(const SmallFloat& a, const SmallFloat& b) { return a.wide() <= b.wide(); }
  friend bool operator>=(const SmallFloat& a, const SmallFloat& b) { return a.wide() >= b.wide(); }
};

template <class T>
struct alignas(4) SmallPair {
  T x, y;

  SmallPair() = default;
  SmallPair(const T& first, const T& second) : x(first), y(second) {}
  friend SmallPair operator+(const SmallPair& a, const SmallPair& b) { return {a.x + b.x, a.y + b.y}; }
  friend SmallPair operator-(const SmallPair& a, const SmallPair& b) { return {a.x - b.x, a.y - b.y}; }
  friend SmallPair operator*(const SmallPair& a, const SmallPair& b) { return {a.x * b.x, a.y * b.y}; }
  friend SmallPair operator/(const SmallPair& a, const SmallPair& b) { return {a.x / b.x, a.y / b.y}; }
  friend SmallPair& operator+=(SmallPair& a, const SmallPair& b) { return a = a + b; }
  friend SmallPair& operator-=(SmallPair& a, const SmallPair& b) { return a = a - b; }
  friend SmallPair& operator*=(SmallPair& a, const SmallPair& b) { return a = a * b; }
  friend SmallPair operator-(const SmallPair& a) { return {-a.x, -a.y}; }
  friend bool operator==(const SmallPair& a, const SmallPair& b) { return a.x == b.x && a.y == b.y; }
};

/// Adds by compare-and-swap of the value's bits.
template <class T, class Bits>
T add_atomically(T* address, T value) {
  auto* const memory = reinterpret_cast<Bits*>(address);
  Bits old = *memory;
  for (;;) {
    const Bits expected = old;
    old = atomicCAS(memory, expected, std::bit_cast<Bits>(std::bit_cast<T>(expected) + value));
    if (old == expected) return std::bit_cast<T>(old);
  }
}

}  // namespace d2l::emulator
