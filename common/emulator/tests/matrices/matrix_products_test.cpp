// SPDX-License-Identifier: MIT
// How sums of products are rounded, as the page about the emulator says.
#include <gtest/gtest.h>

#include <limits>

#include "device.h"
#include "matrix_products_kernels.h"

namespace d2l::emulator::testing {
namespace {

float sum_of(Types types, float a, float b, float c) {
  Device device;
  device.checked = false;
  auto* const out = device.buffer<float>("out", 32);
  EXPECT_FALSE(device.run(1, 32, add_products, types, a, b, c, out).fault);
  EXPECT_EQ(out[0], out[31]);
  return out[0];
}

TEST(MatrixProducts, AreExactAndSumsAreRoundedToFloat) {
  EXPECT_EQ((sum_of(Types::half_float, 2049.0F / 2048, 2049.0F / 2048, 0)), 16 * (2048.0F / 2048));  // 2049 is no half
  EXPECT_EQ((sum_of(Types::half_float, 1025.0F / 1024, 1025.0F / 1024, 0)), 16 * (1050625.0F / 1048576));
  EXPECT_EQ((sum_of(Types::half_float, 1, 1, 16777216)), 16777216);  // 2^24: each sum is rounded to even
  EXPECT_EQ((sum_of(Types::half_float, 1, 2, 16777216)), 16777216 + 32);
  EXPECT_EQ((sum_of(Types::bfloat16_float, 257, 1, 0)), 16 * 256);  // 257 is no bfloat16
}

TEST(MatrixProducts, HalfSumsAreRoundedOnce) {
  EXPECT_EQ((sum_of(Types::half_half, 1, 1, 2048)), 2064);  // after each product it would stay 2048
  EXPECT_EQ((sum_of(Types::half_half, 1, 4096, 0)), std::numeric_limits<float>::infinity());
}

TEST(MatrixProducts, AreAddedInTheOrderOfTheColumns) {
  Device device;
  device.checked = false;
  auto* const a = device.buffer<float>("a", 16);
  auto* const out = device.buffer<float>("out", 32);
  a[0] = 65504;   // 1 + 65504 * 256 = 16769025, exactly
  a[1] = -65504;  // and 1 again
  EXPECT_FALSE(device.run(1, 32, add_in_order, a, out).fault);
  EXPECT_EQ(out[0], 1);
  a[1] = 65504;  // 33538048 + 1 is rounded: the 1 is lost
  a[2] = -65504, a[3] = -65504;
  EXPECT_FALSE(device.run(1, 32, add_in_order, a, out).fault);
  EXPECT_EQ(out[0], 0);
}

}  // namespace
}  // namespace d2l::emulator::testing
