// SPDX-License-Identifier: MIT
// The functions that cuda_fp16.h and cuda_bf16.h have in common.
#pragma once

#include "d2l_emulator/small_floats.h"

namespace d2l::emulator {

/// The larger number; 0 is larger than -0, and a number is larger than NaN.
inline float larger(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
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
// NAME is false for a NaN, NAMEu true.
#define D2L_SMALL_RELATION(T, T2, NAME, EXPRESSION)                                            \
  inline bool __h##NAME(T a, T b) {                                                            \
    const float x = a.wide(), y = b.wide();                                                    \
    return EXPRESSION;                                                                         \
  }                                                                                            \
  inline T2 __h##NAME##2(T2 a, T2 b) {                                                         \
    return {T(__h##NAME(a.x, b.x) ? 1.0F : 0.0F), T(__h##NAME(a.y, b.y) ? 1.0F : 0.0F)};       \
  }                                                                                            \
  inline bool __hb##NAME##2(T2 a, T2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); } \
  inline unsigned __h##NAME##2_mask(T2 a, T2 b) {                                              \
    return (__h##NAME(a.x, b.x) ? 0xFFFFU : 0U) | (__h##NAME(a.y, b.y) ? 0xFFFF0000U : 0U);    \
  }
#define D2L_SMALL_COMPARISON(T, T2, NAME, OPERATOR)                          \
  D2L_SMALL_RELATION(T, T2, NAME, !std::isunordered(x, y) && (x OPERATOR y)) \
  D2L_SMALL_RELATION(T, T2, NAME##u, std::isunordered(x, y) || (x OPERATOR y))
#define D2L_SMALL_TERNARY(T, T2, NAME, NAME2, EXPRESSION)                             \
  inline T NAME(T a, T b, T c) {                                                      \
    const double sum = d2l::emulator::odd_multiply_add(a.wide(), b.wide(), c.wide()); \
    return T(EXPRESSION);                                                             \
  }                                                                                   \
  inline T2 NAME2(T2 a, T2 b, T2 c) { return {NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y)}; }
// Conversions from and to an integer TYPE that names call INTEGER, in one direction.
#define D2L_SMALL_INTEGER_ROUNDED(T, SMALL, INTEGER, TYPE, SUFFIX, DIRECTION, FUNCTION)                           \
  inline T __##INTEGER##2##SMALL##_##SUFFIX(TYPE a) { return T::rounded(a, d2l::emulator::Rounding::DIRECTION); } \
  inline TYPE __##SMALL##2##INTEGER##_##SUFFIX(T a) { return d2l::emulator::to_integer<TYPE>(FUNCTION(a.wide())); }
#define D2L_SMALL_INTEGER(T, SMALL, INTEGER, TYPE)                                   \
  D2L_SMALL_INTEGER_ROUNDED(T, SMALL, INTEGER, TYPE, rn, to_nearest, std::nearbyint) \
  D2L_SMALL_INTEGER_ROUNDED(T, SMALL, INTEGER, TYPE, rz, to_zero, std::trunc)        \
  D2L_SMALL_INTEGER_ROUNDED(T, SMALL, INTEGER, TYPE, ru, up, std::ceil)              \
  D2L_SMALL_INTEGER_ROUNDED(T, SMALL, INTEGER, TYPE, rd, down, std::floor)

/// The conversions of a format, which names call SMALL.
#define D2L_SMALL_CONVERSIONS(T, SMALL)                                                                         \
  inline T __float2##SMALL(float a) { return a; }                                                               \
  inline T __float2##SMALL##_rn(float a) { return a; }                                                          \
  inline T __float2##SMALL##_rz(float a) { return T::rounded(a, d2l::emulator::Rounding::to_zero); }            \
  inline T __float2##SMALL##_ru(float a) { return T::rounded(a, d2l::emulator::Rounding::up); }                 \
  inline T __float2##SMALL##_rd(float a) { return T::rounded(a, d2l::emulator::Rounding::down); }               \
  inline T __double2##SMALL(double a) { return a; }                                                             \
  inline float __##SMALL##2float(T a) { return a.wide(); }                                                      \
  inline signed char __##SMALL##2char_rz(T a) { return d2l::emulator::to_integer<signed char>(a.wide()); }      \
  inline unsigned char __##SMALL##2uchar_rz(T a) { return d2l::emulator::to_integer<unsigned char>(a.wide()); } \
  D2L_SMALL_INTEGER(T, SMALL, short, short)                                                                     \
  D2L_SMALL_INTEGER(T, SMALL, ushort, unsigned short)                                                           \
  D2L_SMALL_INTEGER(T, SMALL, int, int)                                                                         \
  D2L_SMALL_INTEGER(T, SMALL, uint, unsigned int)                                                               \
  D2L_SMALL_INTEGER(T, SMALL, ll, long long)                                                                    \
  D2L_SMALL_INTEGER(T, SMALL, ull, unsigned long long)                                                          \
  inline short __##SMALL##_as_short(T a) { return static_cast<short>(a.bits); }                                 \
  inline unsigned short __##SMALL##_as_ushort(T a) { return a.bits; }                                           \
  inline T __short_as_##SMALL(short a) { return d2l::emulator::SmallBits{static_cast<unsigned short>(a)}; }     \
  inline T __ushort_as_##SMALL(unsigned short a) { return d2l::emulator::SmallBits{a}; }

/// The functions that both formats have.
#define D2L_SMALL_FUNCTIONS(T, T2)                                                                                     \
  D2L_SMALL_BINARY(T, T2, __hadd, __hadd2, x + y)                                                                      \
  D2L_SMALL_BINARY(T, T2, __hsub, __hsub2, x - y)                                                                      \
  D2L_SMALL_BINARY(T, T2, __hmul, __hmul2, x* y)                                                                       \
  D2L_SMALL_BINARY(T, T2, __hadd_rn, __hadd2_rn, x + y)                                                                \
  D2L_SMALL_BINARY(T, T2, __hsub_rn, __hsub2_rn, x - y)                                                                \
  D2L_SMALL_BINARY(T, T2, __hmul_rn, __hmul2_rn, x* y)                                                                 \
  D2L_SMALL_BINARY(T, T2, __hdiv, __h2div, x / y)                                                                      \
  D2L_SMALL_BINARY(T, T2, __hmax, __hmax2, d2l::emulator::larger(x, y))                                                \
  D2L_SMALL_BINARY(T, T2, __hmin, __hmin2, -d2l::emulator::larger(-x, -y))                                             \
  D2L_SMALL_BINARY(T, T2, __hmax_nan, __hmax2_nan, std::isunordered(x, y) ? NAN : d2l::emulator::larger(x, y))         \
  D2L_SMALL_BINARY(T, T2, __hmin_nan, __hmin2_nan, std::isunordered(x, y) ? NAN : -d2l::emulator::larger(-x, -y))      \
  D2L_SMALL_BINARY(T, T2, __hadd_sat, __hadd2_sat, fminf(fmaxf(x + y, 0.0F), 1.0F))                                    \
  D2L_SMALL_BINARY(T, T2, __hsub_sat, __hsub2_sat, fminf(fmaxf(x - y, 0.0F), 1.0F))                                    \
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
  D2L_SMALL_UNARY(T, T2, htanh_approx, h2tanh_approx, tanhf(x))                                                        \
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
  D2L_SMALL_TERNARY(T, T2, __hfma, __hfma2, sum)                                                                       \
  D2L_SMALL_TERNARY(T, T2, __hfma_sat, __hfma2_sat, fmin(fmax(sum, 0.0), 1.0))                                         \
  D2L_SMALL_TERNARY(T, T2, __hfma_relu, __hfma2_relu, std::isnan(sum) ? sum : fmax(sum, 0.0))                          \
  inline T2 __hcmadd(T2 a, T2 b, T2 c) {                                                                               \
    return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};                        \
  }                                                                                                                    \
  inline T2 __hisnan2(T2 a) { return {T(std::isnan(a.x.wide()) ? 1 : 0), T(std::isnan(a.y.wide()) ? 1 : 0)}; }         \
  inline bool __hisnan(T a) { return std::isnan(a.wide()); }                                                           \
  inline int __hisinf(T a) { return std::isinf(a.wide()) ? (a.wide() < 0 ? -1 : 1) : 0; }                              \
  inline float __low2float(T2 a) { return a.x.wide(); }                                                                \
  inline float __high2float(T2 a) { return a.y.wide(); }                                                               \
  inline T atomicAdd(T* address, T value) { return d2l::emulator::add_atomically<T, unsigned short>(address, value); } \
  inline T2 atomicAdd(T2* address, T2 value) { return d2l::emulator::add_atomically<T2, unsigned int>(address, value); }
// NOLINTEND
