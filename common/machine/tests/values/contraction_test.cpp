// SPDX-License-Identifier: MIT
// The code of the project rounds a product before it adds to it, on processors with a fused multiply-add too.
// Optimised, as the other tests are not.
#include <gtest/gtest.h>

namespace {

TEST(Contraction, AProductIsRoundedBeforeTheSum) {
  volatile float a = 1 + 0x1p-12F;
  volatile float c = -(1 + 0x1p-11F);
  const float x = a;
  const float y = c;
  EXPECT_EQ(x * x + y, 0);  // fused, it is 2^-24
}

}  // namespace
