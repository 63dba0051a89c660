// SPDX-License-Identifier: MIT
// CUDA's mathematical functions that C++ does not have, at global scope as CUDA has them. Fast functions have the
// accuracy of the exact ones.
#pragma once

#include <math.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "d2l_emulator/vector_types.h"

// NOLINTBEGIN: the names are CUDA's.
#define D2L_MINIMUM_MAXIMUM(TYPE)                              \
  constexpr TYPE min(TYPE a, TYPE b) { return b < a ? b : a; } \
  constexpr TYPE max(TYPE a, TYPE b) { return a < b ? b : a; }
D2L_MINIMUM_MAXIMUM(int)
D2L_MINIMUM_MAXIMUM(unsigned int)
D2L_MINIMUM_MAXIMUM(long)
D2L_MINIMUM_MAXIMUM(unsigned long)
D2L_MINIMUM_MAXIMUM(long long)
D2L_MINIMUM_MAXIMUM(unsigned long long)
#undef D2L_MINIMUM_MAXIMUM
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B> &&
         !std::is_same_v<A, B>) constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B> &&
         !std::is_same_v<A, B>) constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

inline float rsqrtf(float x) { return 1.0F / sqrtf(x); }
inline float rcbrtf(float x) { return 1.0F / cbrtf(x); }
inline float rhypotf(float x, float y) { return 1.0F / hypotf(x, y); }
inline float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
inline float rnorm3df(float x, float y, float z) { return 1.0F / sqrtf(x * x + y * y + z * z); }
inline float norm4df(float x, float y, float z, float w) { return sqrtf(x * x + y * y + z * z + w * w); }
inline float normcdff(float x) { return 0.5F * erfcf(-x * 0.70710678118654752440F); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
inline double rnorm3d(double x, double y, double z) { return 1.0 / sqrt(x * x + y * y + z * z); }
inline double norm4d(double x, double y, double z, double w) { return sqrt(x * x + y * y + z * z + w * w); }
inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 41)
inline float sinpif(float x) { return static_cast<float>(sin(3.14159265358979323846 * static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cos(3.14159265358979323846 * static_cast<double>(x))); }
inline double sinpi(double x) { return sin(3.14159265358979323846 * x); }
inline double cospi(double x) { return cos(3.14159265358979323846 * x); }
#endif
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}

inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline float __frsqrt_rn(float x) { return 1.0F / sqrtf(x); }
inline float __saturatef(float x) { return x > 0.0F ? (x < 1.0F ? x : 1.0F) : 0.0F; }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frcp_rn(float x) { return 1.0F / x; }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dsub_rn(double x, double y) { return x - y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __dsqrt_rn(double x) { return sqrt(x); }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }

namespace d2l::emulator {
/// Converts to an integer as the card does: saturating, and 0 for NaN.
template <class Integer>
Integer to_integer(double value) {
  constexpr Integer lowest =
      std::is_signed_v<Integer> ? static_cast<Integer>(Integer{1} << (8 * sizeof(Integer) - 1)) : 0;
  constexpr Integer highest = static_cast<Integer>(~lowest);
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(lowest)) return lowest;
  if (value >= static_cast<double>(highest)) return highest;
  return static_cast<Integer>(value);
}
}  // namespace d2l::emulator

inline int __float2int_rn(float x) { return d2l::emulator::to_integer<int>(nearbyint(static_cast<double>(x))); }
inline int __float2int_rz(float x) { return d2l::emulator::to_integer<int>(trunc(static_cast<double>(x))); }
inline int __float2int_ru(float x) { return d2l::emulator::to_integer<int>(ceil(static_cast<double>(x))); }
inline int __float2int_rd(float x) { return d2l::emulator::to_integer<int>(floor(static_cast<double>(x))); }
inline unsigned int __float2uint_rn(float x) {
  return d2l::emulator::to_integer<unsigned int>(nearbyint(static_cast<double>(x)));
}
inline unsigned int __float2uint_rz(float x) {
  return d2l::emulator::to_integer<unsigned int>(trunc(static_cast<double>(x)));
}
inline unsigned int __float2uint_ru(float x) {
  return d2l::emulator::to_integer<unsigned int>(ceil(static_cast<double>(x)));
}
inline unsigned int __float2uint_rd(float x) {
  return d2l::emulator::to_integer<unsigned int>(floor(static_cast<double>(x)));
}
inline long long __float2ll_rn(float x) {
  return d2l::emulator::to_integer<long long>(nearbyint(static_cast<double>(x)));
}
inline long long __float2ll_rz(float x) { return d2l::emulator::to_integer<long long>(trunc(static_cast<double>(x))); }
inline long long __float2ll_ru(float x) { return d2l::emulator::to_integer<long long>(ceil(static_cast<double>(x))); }
inline long long __float2ll_rd(float x) { return d2l::emulator::to_integer<long long>(floor(static_cast<double>(x))); }
inline unsigned long long __float2ull_rn(float x) {
  return d2l::emulator::to_integer<unsigned long long>(nearbyint(static_cast<double>(x)));
}
inline unsigned long long __float2ull_rz(float x) {
  return d2l::emulator::to_integer<unsigned long long>(trunc(static_cast<double>(x)));
}
inline unsigned long long __float2ull_ru(float x) {
  return d2l::emulator::to_integer<unsigned long long>(ceil(static_cast<double>(x)));
}
inline unsigned long long __float2ull_rd(float x) {
  return d2l::emulator::to_integer<unsigned long long>(floor(static_cast<double>(x)));
}
inline int __double2int_rn(double x) { return d2l::emulator::to_integer<int>(nearbyint(x)); }
inline int __double2int_rz(double x) { return d2l::emulator::to_integer<int>(trunc(x)); }
inline int __double2int_ru(double x) { return d2l::emulator::to_integer<int>(ceil(x)); }
inline int __double2int_rd(double x) { return d2l::emulator::to_integer<int>(floor(x)); }
inline unsigned int __double2uint_rn(double x) { return d2l::emulator::to_integer<unsigned int>(nearbyint(x)); }
inline unsigned int __double2uint_rz(double x) { return d2l::emulator::to_integer<unsigned int>(trunc(x)); }
inline unsigned int __double2uint_ru(double x) { return d2l::emulator::to_integer<unsigned int>(ceil(x)); }
inline unsigned int __double2uint_rd(double x) { return d2l::emulator::to_integer<unsigned int>(floor(x)); }
inline long long __double2ll_rn(double x) { return d2l::emulator::to_integer<long long>(nearbyint(x)); }
inline long long __double2ll_rz(double x) { return d2l::emulator::to_integer<long long>(trunc(x)); }
inline long long __double2ll_ru(double x) { return d2l::emulator::to_integer<long long>(ceil(x)); }
inline long long __double2ll_rd(double x) { return d2l::emulator::to_integer<long long>(floor(x)); }
inline unsigned long long __double2ull_rn(double x) {
  return d2l::emulator::to_integer<unsigned long long>(nearbyint(x));
}
inline unsigned long long __double2ull_rz(double x) { return d2l::emulator::to_integer<unsigned long long>(trunc(x)); }
inline unsigned long long __double2ull_ru(double x) { return d2l::emulator::to_integer<unsigned long long>(ceil(x)); }
inline unsigned long long __double2ull_rd(double x) { return d2l::emulator::to_integer<unsigned long long>(floor(x)); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return static_cast<double>(x); }
inline float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
inline double __uint2double_rn(unsigned int x) { return static_cast<double>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline unsigned int __float_as_uint(float x) { return std::bit_cast<unsigned int>(x); }
inline float __uint_as_float(unsigned int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32U); }
inline int __double2loint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x)); }
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>((static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32U) |
                               static_cast<unsigned>(low));
}

inline int __popc(unsigned int x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned int __brev(unsigned int x) {
  unsigned int reversed = 0;
  for (unsigned int i = 0; i < 32; ++i) reversed |= ((x >> i) & 1U) << (31U - i);
  return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
  return (static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32U) |
         __brev(static_cast<unsigned int>(x >> 32U));
}
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const std::uint64_t bytes = (static_cast<std::uint64_t>(y) << 32U) | x;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; ++i) {
    const unsigned int nibble = (selector >> (4 * i)) & 15U;
    unsigned int byte = static_cast<unsigned int>(bytes >> (8 * (nibble & 7U))) & 255U;
    if ((nibble & 8U) != 0) byte = (byte & 128U) != 0 ? 255U : 0U;
    result |= byte << (8 * i);
  }
  return result;
}
inline int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32U);
}
__extension__ inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64U);
}
__extension__ inline long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64U);
}
inline int __mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffU) * (y & 0xffffffU); }
inline unsigned int __sad(int x, int y, unsigned int z) {
  return (x > y ? static_cast<unsigned>(x) - static_cast<unsigned>(y)
                : static_cast<unsigned>(y) - static_cast<unsigned>(x)) +
         z;
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((((static_cast<std::uint64_t>(high) << 32U) | low) << (shift & 31U)) >> 32U);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(((static_cast<std::uint64_t>(high) << 32U) | low) >> (shift & 31U));
}
inline int __dp4a(int x, int y, int sum) {
  for (int i = 0; i < 4; ++i) sum += static_cast<signed char>(x >> (8 * i)) * static_cast<signed char>(y >> (8 * i));
  return sum;
}

namespace d2l::emulator {
/// Tells the checks about an access that the compiler did not instrument; `caller` is the place in the code.
void access_by_function(const void* address, unsigned bytes, bool write, const void* caller);
/// A copy of which thread `rank` of several does its share, as a card divides it.
void copy_by_function(void* to, const void* from, std::size_t bytes, const void* caller, unsigned rank = 0,
                      unsigned threads = 1);
/// What cp.async does: a copy of 4, 8 or 16 bytes, some of which are zeros.
void copy_async(void* to, const void* from, std::size_t bytes, std::size_t zeros, const void* caller);
}  // namespace d2l::emulator

#define D2L_LOAD(NAME)                                                                         \
  template <class T>                                                                           \
  __attribute__((noinline, no_sanitize("thread"))) T NAME(const T* address) {                  \
    d2l::emulator::access_by_function(address, sizeof(T), false, __builtin_return_address(0)); \
    return *address;                                                                           \
  }
#define D2L_STORE(NAME)                                                                       \
  template <class T>                                                                          \
  __attribute__((noinline, no_sanitize("thread"))) void NAME(T* address, T value) {           \
    d2l::emulator::access_by_function(address, sizeof(T), true, __builtin_return_address(0)); \
    *address = value;                                                                         \
  }
D2L_LOAD(__ldg)
D2L_LOAD(__ldca)
D2L_LOAD(__ldcg)
D2L_LOAD(__ldcs)
D2L_LOAD(__ldlu)
D2L_LOAD(__ldcv)
D2L_STORE(__stwb)
D2L_STORE(__stcg)
D2L_STORE(__stcs)
D2L_STORE(__stwt)
#undef D2L_LOAD
#undef D2L_STORE
// NOLINTEND
