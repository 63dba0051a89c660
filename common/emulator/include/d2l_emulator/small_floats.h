// SPDX-License-Identifier: MIT
// Floating point numbers of 16 bits, and pairs of them: what cuda_fp16.h and cuda_bf16.h have in common.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

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

struct SmallBits {
  unsigned short x;
};

template <int exponent_bits, int mantissa_bits>
struct SmallFloat {
  std::uint16_t bits;

  SmallFloat() = default;
  SmallFloat(SmallBits raw) : bits(raw.x) {}
#define D2L_CONVERSION(TYPE)                                                                          \
  SmallFloat(TYPE value) : bits(to_small<exponent_bits, mantissa_bits>(static_cast<float>(value))) {} \
  operator TYPE() const { return static_cast<TYPE>(from_small<exponent_bits, mantissa_bits>(bits)); }
  D2L_CONVERSION(float)
  D2L_CONVERSION(short)
  D2L_CONVERSION(unsigned short)
  D2L_CONVERSION(int)
  D2L_CONVERSION(unsigned)
  D2L_CONVERSION(long)
  D2L_CONVERSION(unsigned long)
  D2L_CONVERSION(long long)
  D2L_CONVERSION(unsigned long long)
#undef D2L_CONVERSION
  SmallFloat(double value) : bits(to_small<exponent_bits, mantissa_bits>(static_cast<float>(value))) {}
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

// NOLINTBEGIN: the names are CUDA's.
#define D2L_SMALL_UNARY(T, T2, NAME, NAME2, EXPRESSION) \
  inline T NAME(T a) {                                  \
    const float x = a.wide();                           \
    return T(static_cast<float>(EXPRESSION));           \
  }                                                     \
  inline T2 NAME2(T2 a) { return {NAME(a.x), NAME(a.y)}; }
#define D2L_SMALL_BINARY(T, T2, NAME, NAME2, EXPRESSION) \
  inline T NAME(T a, T b) {                              \
    const float x = a.wide(), y = b.wide();              \
    return T(static_cast<float>(EXPRESSION));            \
  }                                                      \
  inline T2 NAME2(T2 a, T2 b) { return {NAME(a.x, b.x), NAME(a.y, b.y)}; }
#define D2L_SMALL_COMPARISON(T, T2, NAME, OPERATOR)                                \
  inline bool __h##NAME(T a, T b) { return a OPERATOR b; }                         \
  inline T2 __h##NAME##2(T2 a, T2 b) {                                             \
    return {T(a.x OPERATOR b.x ? 1.0F : 0.0F), T(a.y OPERATOR b.y ? 1.0F : 0.0F)}; \
  }                                                                                \
  inline bool __hb##NAME##2(T2 a, T2 b) { return (a.x OPERATOR b.x) && (a.y OPERATOR b.y); }

/// The functions that both formats have.
#define D2L_SMALL_FUNCTIONS(T, T2)                                                                                     \
  D2L_SMALL_BINARY(T, T2, __hadd, __hadd2, x + y)                                                                      \
  D2L_SMALL_BINARY(T, T2, __hsub, __hsub2, x - y)                                                                      \
  D2L_SMALL_BINARY(T, T2, __hmul, __hmul2, x* y)                                                                       \
  D2L_SMALL_BINARY(T, T2, __hadd_rn, __hadd2_rn, x + y)                                                                \
  D2L_SMALL_BINARY(T, T2, __hsub_rn, __hsub2_rn, x - y)                                                                \
  D2L_SMALL_BINARY(T, T2, __hmul_rn, __hmul2_rn, x* y)                                                                 \
  D2L_SMALL_BINARY(T, T2, __hdiv, __h2div, x / y)                                                                      \
  D2L_SMALL_BINARY(T, T2, __hmax, __hmax2, fmaxf(x, y))                                                                \
  D2L_SMALL_BINARY(T, T2, __hmin, __hmin2, fminf(x, y))                                                                \
  D2L_SMALL_BINARY(T, T2, __hadd_sat, __hadd2_sat, fminf(fmaxf(x + y, 0.0F), 1.0F))                                    \
  D2L_SMALL_BINARY(T, T2, __hmul_sat, __hmul2_sat, fminf(fmaxf(x* y, 0.0F), 1.0F))                                     \
  D2L_SMALL_UNARY(T, T2, __hneg, __hneg2, -x)                                                                          \
  D2L_SMALL_UNARY(T, T2, __habs, __habs2, fabsf(x))                                                                    \
  D2L_SMALL_UNARY(T, T2, hexp, h2exp, expf(x))                                                                         \
  D2L_SMALL_UNARY(T, T2, hexp2, h2exp2, exp2f(x))                                                                      \
  D2L_SMALL_UNARY(T, T2, hexp10, h2exp10, powf(10.0F, x))                                                              \
  D2L_SMALL_UNARY(T, T2, hlog, h2log, logf(x))                                                                         \
  D2L_SMALL_UNARY(T, T2, hlog2, h2log2, log2f(x))                                                                      \
  D2L_SMALL_UNARY(T, T2, hlog10, h2log10, log10f(x))                                                                   \
  D2L_SMALL_UNARY(T, T2, hsqrt, h2sqrt, sqrtf(x))                                                                      \
  D2L_SMALL_UNARY(T, T2, hrsqrt, h2rsqrt, 1.0F / sqrtf(x))                                                             \
  D2L_SMALL_UNARY(T, T2, hrcp, h2rcp, 1.0F / x)                                                                        \
  D2L_SMALL_UNARY(T, T2, hsin, h2sin, sinf(x))                                                                         \
  D2L_SMALL_UNARY(T, T2, hcos, h2cos, cosf(x))                                                                         \
  D2L_SMALL_UNARY(T, T2, htanh, h2tanh, tanhf(x))                                                                      \
  D2L_SMALL_UNARY(T, T2, hfloor, h2floor, floorf(x))                                                                   \
  D2L_SMALL_UNARY(T, T2, hceil, h2ceil, ceilf(x))                                                                      \
  D2L_SMALL_UNARY(T, T2, htrunc, h2trunc, truncf(x))                                                                   \
  D2L_SMALL_UNARY(T, T2, hrint, h2rint, nearbyintf(x))                                                                 \
  D2L_SMALL_COMPARISON(T, T2, eq, ==)                                                                                  \
  D2L_SMALL_COMPARISON(T, T2, ne, !=)                                                                                  \
  D2L_SMALL_COMPARISON(T, T2, lt, <)                                                                                   \
  D2L_SMALL_COMPARISON(T, T2, gt, >)                                                                                   \
  D2L_SMALL_COMPARISON(T, T2, le, <=)                                                                                  \
  D2L_SMALL_COMPARISON(T, T2, ge, >=)                                                                                  \
  inline T __hfma(T a, T b, T c) { return T(fmaf(a.wide(), b.wide(), c.wide())); }                                     \
  inline T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }                       \
  inline bool __hisnan(T a) { return std::isnan(a.wide()); }                                                           \
  inline int __hisinf(T a) { return std::isinf(a.wide()) ? (a.wide() < 0 ? -1 : 1) : 0; }                              \
  inline float __low2float(T2 a) { return a.x.wide(); }                                                                \
  inline float __high2float(T2 a) { return a.y.wide(); }                                                               \
  inline T atomicAdd(T* address, T value) { return d2l::emulator::add_atomically<T, unsigned short>(address, value); } \
  inline T2 atomicAdd(T2* address, T2 value) { return d2l::emulator::add_atomically<T2, unsigned int>(address, value); }
// NOLINTEND
