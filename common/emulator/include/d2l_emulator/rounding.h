// SPDX-License-Identifier: MIT
// Arithmetic that rounds in a direction which the name says.
#pragma once

#include <cfenv>
#include <cmath>

namespace d2l::emulator {

/// The compiler must take the value from memory: what uses it is not moved before this call, nor what makes it after.
template <class T>
__attribute__((always_inline)) inline void keep_in_memory(T& value) {
  asm volatile("" : "+m"(value) : : "memory");
}

/// Calls `function` while the processor rounds in direction `mode`.
template <class T, class Result, class Function, class... A>
__attribute__((noinline)) Result rounded(int mode, Function function, A... arguments) {
  const int before = std::fegetround();
  std::fesetround(mode);
  (keep_in_memory(arguments), ...);
  auto result = static_cast<Result>(function(static_cast<T>(arguments)...));
  keep_in_memory(result);
  std::fesetround(before);
  return result;
}

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
#define D2L_DIRECTED(SUFFIX, MODE)                                                     \
  inline float __fadd_##SUFFIX(float x, float y) {                                     \
    return d2l::emulator::rounded<float, float>(                                       \
        MODE, [](float a, float b) { return a + b; }, x, y);                           \
  }                                                                                    \
  inline float __fsub_##SUFFIX(float x, float y) { return __fadd_##SUFFIX(x, -y); }    \
  inline float __fmul_##SUFFIX(float x, float y) {                                     \
    return d2l::emulator::rounded<float, float>(                                       \
        MODE, [](float a, float b) { return a * b; }, x, y);                           \
  }                                                                                    \
  inline float __fdiv_##SUFFIX(float x, float y) {                                     \
    return d2l::emulator::rounded<float, float>(                                       \
        MODE, [](float a, float b) { return a / b; }, x, y);                           \
  }                                                                                    \
  inline float __frcp_##SUFFIX(float x) { return __fdiv_##SUFFIX(1.0F, x); }           \
  inline float __fsqrt_##SUFFIX(float x) {                                             \
    return d2l::emulator::rounded<float, float>(                                       \
        MODE, [](float a) { return sqrtf(a); }, x);                                    \
  }                                                                                    \
  inline float __fmaf_##SUFFIX(float x, float y, float z) {                            \
    return d2l::emulator::rounded<float, float>(                                       \
        MODE, [](float a, float b, float c) { return fmaf(a, b, c); }, x, y, z);       \
  }                                                                                    \
  inline double __dadd_##SUFFIX(double x, double y) {                                  \
    return d2l::emulator::rounded<double, double>(                                     \
        MODE, [](double a, double b) { return a + b; }, x, y);                         \
  }                                                                                    \
  inline double __dsub_##SUFFIX(double x, double y) { return __dadd_##SUFFIX(x, -y); } \
  inline double __dmul_##SUFFIX(double x, double y) {                                  \
    return d2l::emulator::rounded<double, double>(                                     \
        MODE, [](double a, double b) { return a * b; }, x, y);                         \
  }                                                                                    \
  inline double __ddiv_##SUFFIX(double x, double y) {                                  \
    return d2l::emulator::rounded<double, double>(                                     \
        MODE, [](double a, double b) { return a / b; }, x, y);                         \
  }                                                                                    \
  inline double __drcp_##SUFFIX(double x) { return __ddiv_##SUFFIX(1.0, x); }          \
  inline double __dsqrt_##SUFFIX(double x) {                                           \
    return d2l::emulator::rounded<double, double>(                                     \
        MODE, [](double a) { return sqrt(a); }, x);                                    \
  }                                                                                    \
  inline double __fma_##SUFFIX(double x, double y, double z) {                         \
    return d2l::emulator::rounded<double, double>(                                     \
        MODE, [](double a, double b, double c) { return fma(a, b, c); }, x, y, z);     \
  }                                                                                    \
  inline float __double2float_##SUFFIX(double x) {                                     \
    return d2l::emulator::rounded<double, float>(                                      \
        MODE, [](double a) { return static_cast<float>(a); }, x);                      \
  }                                                                                    \
  inline float __int2float_##SUFFIX(int x) {                                           \
    return d2l::emulator::rounded<int, float>(                                         \
        MODE, [](int a) { return static_cast<float>(a); }, x);                         \
  }                                                                                    \
  inline float __uint2float_##SUFFIX(unsigned int x) {                                 \
    return d2l::emulator::rounded<unsigned int, float>(                                \
        MODE, [](unsigned int a) { return static_cast<float>(a); }, x);                \
  }                                                                                    \
  inline double __ll2double_##SUFFIX(long long x) {                                    \
    return d2l::emulator::rounded<long long, double>(                                  \
        MODE, [](long long a) { return static_cast<double>(a); }, x);                  \
  }
D2L_DIRECTED(rd, FE_DOWNWARD)
D2L_DIRECTED(ru, FE_UPWARD)
D2L_DIRECTED(rz, FE_TOWARDZERO)
#undef D2L_DIRECTED
// NOLINTEND
