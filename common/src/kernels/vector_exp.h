// SPDX-License-Identifier: MIT
// An exponential that compilers vectorise, which the calls of std::exp are not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/rows.h"

namespace d2l::backend::kernels {

/// e^x for x ≤ 0, within two units in the last place; 0 for −∞, and NaN for NaN.
D2L_ALWAYS_INLINE float exp_of_nonpositive(float x) {
  // x = n × log(2) + rest; adding `magic` rounds to an integer, which is then in the lowest bits.
  constexpr float magic = 12582912.0F;
  const float rounded = x * 1.44269504088896341F + magic;
  const float n = rounded - magic;
  const float rest = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  // The polynomial of the Cephes library for |rest| ≤ log(2) / 2.
  float power = 1.9875691500e-4F;
  power = power * rest + 1.3981999507e-3F;
  power = power * rest + 8.3334519073e-3F;
  power = power * rest + 4.1665795894e-2F;
  power = power * rest + 1.6666665459e-1F;
  power = power * rest + 5.0000001201e-1F;
  power = power * (rest * rest) + rest + 1.0F;
  // Two factors, since 2^n may be too small for a normal number.
  const std::uint32_t exponent = std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(magic);
  const auto half = static_cast<std::uint32_t>(static_cast<std::int32_t>(exponent) >> 1);
  const auto first = std::bit_cast<float>((half + 127U) << 23);
  const auto second = std::bit_cast<float>((exponent - half + 127U) << 23);
  constexpr float smallest = -104.0F;  // of smaller x, the result rounds to 0
  return x < smallest ? 0.0F : power * first * second;
}
D2L_ALWAYS_INLINE double exp_of_nonpositive(double x) { return std::exp(x); }

}  // namespace d2l::backend::kernels
