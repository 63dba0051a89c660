// SPDX-License-Identifier: MIT
// CUDA's rarer mathematical functions, of single and double precision.
#pragma once

#include <cmath>
#include <limits>

#include "d2l_emulator/device_math.h"

// NOLINTBEGIN: the names are CUDA's.
inline double norm(int dimensions, const double* values) {
  double sum = 0;
  for (int i = 0; i < dimensions; ++i) sum += values[i] * values[i];
  return sqrt(sum);
}
inline double rnorm(int dimensions, const double* values) { return 1.0 / norm(dimensions, values); }
inline float normf(int dimensions, const float* values) {
  double sum = 0;
  for (int i = 0; i < dimensions; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return static_cast<float>(sqrt(sum));
}
inline float rnormf(int dimensions, const float* values) { return 1.0F / normf(dimensions, values); }
inline double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
inline float rnorm4df(float x, float y, float z, float w) { return 1.0F / norm4df(x, y, z, w); }
inline float fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
/// exp(x²) · erfc(x): beyond the range of erfc() by its continued fraction.
inline double erfcx(double x) {
  if (x < 25) return exp(x * x) * erfc(x);
  double fraction = 0;
  for (int i = 50; i > 0; --i) fraction = 0.5 * i / (x + fraction);
  return 0.56418958354775628695 / (x + fraction);
}
/// The x with erfc(x) = y: an estimate, and steps of Newton's method.
inline double erfcinv(double y) {
  if (!(y > 0 && y < 2)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return y == 0 ? infinity : (y == 2 ? -infinity : std::numeric_limits<double>::quiet_NaN());
  }
  const double tail = y < 1 ? y : 2 - y;
  const double root = sqrt(-2 * log(tail / 2));
  double x = -0.70711 * ((2.30753 + root * 0.27061) / (1 + root * (0.99229 + root * 0.04481)) - root);
  for (int i = 0; i < 3; ++i) {
    const double error = erfc(x) - tail;
    x += error / (1.12837916709551257 * exp(-x * x) - x * error);
  }
  return y < 1 ? x : -x;
}
inline double erfinv(double y) { return erfcinv(1 - y); }
inline double normcdfinv(double y) { return -1.41421356237309504880 * erfcinv(2 * y); }
inline double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, fabs(x)); }
inline double cyl_bessel_i1(double x) { return copysign(std::cyl_bessel_i(1.0, fabs(x)), x); }
#define D2L_SINGLE(NAME) \
  inline float NAME##f(float x) { return static_cast<float>(NAME(static_cast<double>(x))); }
D2L_SINGLE(erfcx)
D2L_SINGLE(erfcinv)
D2L_SINGLE(erfinv)
D2L_SINGLE(normcdfinv)
D2L_SINGLE(cyl_bessel_i0)
D2L_SINGLE(cyl_bessel_i1)
#undef D2L_SINGLE
// NOLINTEND
