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
  // 1 + rest + rest² × q(rest) has a relative error of 3e-9 for |rest| ≤ log(2) / 2; q minimises it.
  float q = 0x1.6a2352p-10F;
  q = q * rest + 0x1.123a6cp-7F;
  q = q * rest + 0x1.5558f4p-5F;
  q = q * rest + 0x1.55549p-3F;
  q = q * rest + 0x1.fffffcp-2F;
  const float power = q * (rest * rest) + rest + 1.0F;
  // 2^(n + 64), since 2^n may be too small for a normal number. The shift moves n, biased, to the place of the
  // exponent.
  const auto scale = std::bit_cast<float>((std::bit_cast<std::uint32_t>(rounded) + (127U + 64U)) << 23);
  constexpr float smallest = -104.0F;  // of smaller x, the result rounds to 0
  return x < smallest ? 0.0F : power * scale * 0x1p-64F;
}
D2L_ALWAYS_INLINE double exp_of_nonpositive(double x) { return std::exp(x); }

/// The same within one part in 2^17, and in 2^20 if x ≥ -10, with fewer operations: enough for 16 bits.
D2L_ALWAYS_INLINE float short_exp_of_nonpositive(float x) {
  constexpr float magic = 12582912.0F;
  const float logarithm = x * 1.44269504088896341F;  // to the base 2; the product is rounded
  const float rounded = logarithm + magic;
  const float rest = logarithm - (rounded - magic);
  // 1 + rest × q(rest) has a relative error of 1e-7 for |rest| ≤ 1/2; q minimises it.
  float q = 0x1.5bba14p-10F;
  q = q * rest + 0x1.3cea88p-7F;
  q = q * rest + 0x1.c6b752p-5F;
  q = q * rest + 0x1.ebf9bcp-3F;
  q = q * rest + 0x1.62e42ap-1F;
  const float power = q * rest + 1.0F;
  const auto scale = std::bit_cast<float>((std::bit_cast<std::uint32_t>(rounded) + (127U + 64U)) << 23);
  constexpr float smallest = -104.0F;
  return x < smallest ? 0.0F : power * scale * 0x1p-64F;
}

}  // namespace d2l::backend::kernels
