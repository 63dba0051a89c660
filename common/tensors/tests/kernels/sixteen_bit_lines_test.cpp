// SPDX-License-Identifier: MIT
// The loops over numbers of 16 bits give what the conversion of single numbers does, with and without vectors.
#include "kernels/cpu/sixteen_bit_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

#include "d2l/half.h"

namespace d2l::testing {
namespace {

using backend::Operation;
using backend::kernels::combine;
using backend::kernels::narrow;
using backend::kernels::sum;
using backend::kernels::widen;
using Bits = std::vector<std::uint16_t>;

template <class T>
constexpr ScalarType type_of = std::is_same_v<T, Half> ? kHalf : kBFloat16;

template <class T>
float wide(std::uint16_t bits) {
  return static_cast<float>(T(bits, T::from_bits()));
}
/// The bits of a result are those of the expected one; the sign of a NaN that an operation makes is undefined.
template <class T>
bool same_number(std::uint16_t found, float expected) {
  return std::isnan(expected) ? std::isnan(wide<T>(found)) : found == T(expected).x;
}
bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

template <class T>
class SixteenBitLines : public ::testing::Test {};
using SixteenBitTypes = ::testing::Types<Half, BFloat16>;
TYPED_TEST_SUITE(SixteenBitLines, SixteenBitTypes);

/// All numbers of 16 bits, in an order with no pattern of eight.
Bits all_bits() {
  Bits bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i * 40503);
  return bits;
}

TYPED_TEST(SixteenBitLines, WidenEveryNumber) {
  const Bits bits = all_bits();
  std::vector<float> found(bits.size() - 3);
  widen(found.data(), bits.data() + 3, static_cast<std::int64_t>(found.size()), type_of<TypeParam>);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_TRUE(same_bits(found[i], wide<TypeParam>(bits[i + 3])));
}

TYPED_TEST(SixteenBitLines, NarrowWhatIsBetweenThem) {
  std::vector<float> floats;
  for (const std::uint16_t bits : all_bits()) {
    const float value = wide<TypeParam>(bits);
    const float next = wide<TypeParam>(static_cast<std::uint16_t>(bits + 1));
    const float middle = value + (next - value) / 2;
    for (const float one : {value, middle, std::nextafter(middle, value), std::nextafter(middle, next)})
      floats.push_back(one);
  }
  for (std::uint32_t i = 0; i < 65536; ++i) floats.push_back(std::bit_cast<float>(i * 65537U));  // NaNs, too
  Bits found(floats.size() - 5);
  narrow(found.data(), floats.data() + 5, static_cast<std::int64_t>(found.size()), type_of<TypeParam>);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], TypeParam(floats[i + 5]).x) << floats[i + 5];
}

TYPED_TEST(SixteenBitLines, CombineRoundsOnce) {
  const Bits a = all_bits();
  Bits b = all_bits();
  std::shuffle(b.begin(), b.end(), std::mt19937(1));
  const auto expect = [&](Operation operation, const auto& reference) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{7}, std::size_t{8}, a.size() - 1}) {
      Bits found(count + 1, 1234);
      ASSERT_TRUE(combine(operation, found.data(), a.data(), b.data(), std::int64_t(count), type_of<TypeParam>));
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_TRUE(same_number<TypeParam>(found[i], reference(wide<TypeParam>(a[i]), wide<TypeParam>(b[i]))))
            << a[i] << ' ' << b[i];
      }
      EXPECT_EQ(found[count], 1234) << "beyond the end";
    }
    Bits in_place = a;
    combine(operation, in_place.data(), in_place.data(), b.data(), std::int64_t(a.size()), type_of<TypeParam>);
    EXPECT_TRUE(same_number<TypeParam>(in_place[77], reference(wide<TypeParam>(a[77]), wide<TypeParam>(b[77]))));
  };
  expect(Operation::add, [](float x, float y) { return x + y; });
  expect(Operation::sub, [](float x, float y) { return x - y; });
  expect(Operation::mul, [](float x, float y) { return x * y; });
  expect(Operation::div, [](float x, float y) { return x / y; });
  Bits untouched(8, 1234);
  EXPECT_FALSE(combine(Operation::pow, untouched.data(), a.data(), b.data(), 8, type_of<TypeParam>));
  EXPECT_EQ(untouched, Bits(8, 1234));
}

/// The sum in the order that the header of the loops promises for every processor.
template <class T>
double sum_by_hand(const std::uint16_t* from, std::size_t count) {
  std::vector<double> totals(8);
  std::size_t i = 0;
  while (count - i >= 32) {
    const std::size_t end = i + std::min<std::size_t>(512, (count - i) / 32 * 32);
    std::vector<float> lanes(32);
    for (; i < end; ++i) lanes[i % 32] += wide<T>(from[i]);
    for (std::size_t k = 0; k < 8; ++k)
      totals[k] += static_cast<double>((lanes[k] + lanes[k + 8]) + (lanes[k + 16] + lanes[k + 24]));
  }
  double total = 0;
  for (const double one : totals) total += one;
  for (; i < count; ++i) total += static_cast<double>(wide<T>(from[i]));
  return total;
}

TYPED_TEST(SixteenBitLines, SumInOneOrder) {
  std::mt19937 generator(2);
  std::uniform_real_distribution<float> numbers(-1, 1);
  Bits bits(3000);
  double exact = 0;
  for (auto& one : bits) one = TypeParam(numbers(generator)).x;
  for (const std::size_t count : {0u, 1u, 31u, 32u, 33u, 511u, 512u, 544u, 1027u, 3000u}) {
    const double found = sum(bits.data(), std::int64_t(count), type_of<TypeParam>);
    EXPECT_EQ(found, sum_by_hand<TypeParam>(bits.data(), count)) << count;
    exact = 0;
    for (std::size_t i = 0; i < count; ++i) exact += static_cast<double>(wide<TypeParam>(bits[i]));
    EXPECT_NEAR(found, exact, 1e-5 * static_cast<double>(count + 1)) << count;
  }
}

}  // namespace
}  // namespace d2l::testing
