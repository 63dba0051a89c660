// SPDX-License-Identifier: MIT
// Half and BFloat16: conversions, rounding, special numbers, arithmetic, limits; their dtypes.
#include "d2l/half.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>

#include "d2l/dtype.h"
#include "d2l/scalar.h"
#include "gtest/gtest.h"

namespace d2l {
namespace {

constexpr Half half(unsigned bits) { return {static_cast<std::uint16_t>(bits), Half::from_bits()}; }
constexpr BFloat16 bfloat16(unsigned bits) { return {static_cast<std::uint16_t>(bits), BFloat16::from_bits()}; }

/// The number of the bits by its definition: sign, exponent and fraction.
double defined(unsigned bits, int exponent_bits, int fraction_bits) {
  const int sign = (bits >> 15U) != 0 ? -1 : 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> static_cast<unsigned>(fraction_bits)) & ((1 << exponent_bits) - 1);
  const int fraction = static_cast<int>(bits) & ((1 << fraction_bits) - 1);
  if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

template <class T>
void expect_definition(int exponent_bits, int fraction_bits) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const T number(static_cast<std::uint16_t>(bits), T::from_bits());
    const double value = defined(bits, exponent_bits, fraction_bits);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(number))) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(T(static_cast<float>(number))))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(static_cast<float>(number)), value) << bits;
    ASSERT_EQ(std::signbit(static_cast<float>(number)), std::signbit(value)) << bits;
    ASSERT_EQ(T(static_cast<float>(number)).x, bits);
  }
}

/// Between two neighbours, a float rounds to the nearer one, and from the middle to the even one.
template <class T>
void expect_nearest_even() {
  for (unsigned bits = 0; bits < std::numeric_limits<T>::max().x; ++bits) {
    const T below(static_cast<std::uint16_t>(bits), T::from_bits());
    const T above(static_cast<std::uint16_t>(bits + 1), T::from_bits());
    const float middle = static_cast<float>((double{below} + double{above}) / 2);
    for (const float sign : {1.0F, -1.0F}) {
      const unsigned sign_bit = sign < 0 ? 0x8000U : 0U;
      ASSERT_EQ(T(sign * middle).x, (bits + (bits & 1U)) | sign_bit) << bits;
      ASSERT_EQ(T(sign * std::nextafter(middle, 0.0F)).x, bits | sign_bit) << bits;
      ASSERT_EQ(T(sign * std::nextafter(middle, HUGE_VALF)).x, (bits + 1) | sign_bit) << bits;
    }
  }
}

TEST(Half, EveryNumberHasItsDefinition) {
  expect_definition<Half>(5, 10);
  expect_definition<BFloat16>(8, 7);
}

TEST(Half, RoundsToTheNearestAndThenToTheEvenNumber) {
  expect_nearest_even<Half>();
  expect_nearest_even<BFloat16>();
}

TEST(Half, TooLargeANumberIsInfinite) {
  EXPECT_EQ(Half(65519.0F).x, 0x7BFF);
  EXPECT_EQ(Half(65520.0F).x, 0x7C00);
  EXPECT_EQ(Half(-1e30F).x, 0xFC00);
  EXPECT_EQ(Half(HUGE_VALF).x, 0x7C00);
  EXPECT_EQ(BFloat16(3.4e38F).x, 0x7F80);
  EXPECT_EQ(BFloat16(3.38e38F).x, 0x7F7E);
  EXPECT_EQ(Half(2.9e-8F).x, 0);  // less than half of the smallest
  EXPECT_EQ(Half(3e-8F).x, 1);
}

TEST(Half, ArithmeticIsThatOfFloatsRoundedOnce) {
  constexpr Half third = Half(1.0F) / Half(3.0F);
  static_assert(third.x == 0x3555);
  static_assert(std::is_same_v<decltype(third + 1), Half> && std::is_same_v<decltype(third + third), Half>);
  static_assert(std::is_same_v<decltype(third * 1.0F), float> && std::is_same_v<decltype(1.0 * third), double>);
  Half sum = 0;
  for (int i = 0; i < 5000; ++i) sum += Half(1.0F);
  EXPECT_EQ(sum, 2048.0F);  // 2049 is between two neighbours
  BFloat16 small = 0;
  for (int i = 0; i < 5000; ++i) small += BFloat16(1.0F);
  EXPECT_EQ(small, 256.0F);
  EXPECT_EQ((-half(0)).x, 0x8000);
  EXPECT_TRUE(bfloat16(0x3F80) > bfloat16(0x3F7F));
  std::ostringstream text;
  text << Half(0.5F) << ' ' << BFloat16(2.0F);
  EXPECT_EQ(text.str(), "0.5 2");
}

TEST(Half, Limits) {
  using OfHalf = std::numeric_limits<Half>;
  using OfBFloat16 = std::numeric_limits<BFloat16>;
  EXPECT_EQ(OfHalf::max(), 65504.0F);
  EXPECT_EQ(OfHalf::lowest(), -65504.0F);
  EXPECT_EQ(OfHalf::min(), 0x1p-14F);
  EXPECT_EQ(OfHalf::denorm_min(), 0x1p-24F);
  EXPECT_EQ(OfHalf::epsilon(), 0x1p-10F);
  EXPECT_EQ(OfBFloat16::epsilon(), 0x1p-7F);
  EXPECT_EQ(OfBFloat16::min(), 0x1p-126F);
  EXPECT_EQ(OfBFloat16::max(), 0x1.FEp127F);
  EXPECT_TRUE(std::isinf(float{OfHalf::infinity()}) && std::isinf(float{OfBFloat16::infinity()}));
  EXPECT_TRUE(std::isnan(float{OfHalf::quiet_NaN()}) && std::isnan(float{OfBFloat16::quiet_NaN()}));
}

TEST(Half, DtypesHavePyTorchsNamesAndPromotion) {
  EXPECT_EQ(repr(kHalf), "torch.float16");
  EXPECT_EQ(repr(kBFloat16), "torch.bfloat16");
  EXPECT_STREQ(toString(kHalf), "Half");
  EXPECT_STREQ(toString(kBFloat16), "BFloat16");
  EXPECT_EQ(elementSize(kHalf) + elementSize(kBFloat16), 4U);
  EXPECT_EQ(kFloat16, kHalf);
  EXPECT_EQ(promoteTypes(kHalf, kBFloat16), kFloat);
  EXPECT_EQ(promoteTypes(kBFloat16, kHalf), kFloat);
  EXPECT_EQ(promoteTypes(kHalf, kHalf), kHalf);
  EXPECT_EQ(promoteTypes(kLong, kBFloat16), kBFloat16);
  EXPECT_EQ(promoteTypes(kHalf, kDouble), kDouble);
  EXPECT_TRUE(isFloatingType(kHalf) && isFloatingType(kBFloat16) && isReducedFloatingType(kHalf));
  EXPECT_FALSE(isReducedFloatingType(kFloat) || isIntegralType(kHalf, true));
  EXPECT_EQ(Scalar(Half(0.5F)).toDouble(), 0.5);
  EXPECT_EQ(Scalar(0.1).to<Half>().x, 0x2E66);
}

}  // namespace
}  // namespace d2l
