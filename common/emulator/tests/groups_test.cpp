// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "device.h"
#include "groups_kernels.h"

namespace d2l::emulator::testing {
namespace {

TEST(Groups, TilesOfABlock) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    Device device;
    device.seed = seed;
    auto* const in = device.buffer<int>("in", 64);
    auto* const out = device.buffer<int>("out", 8);
    for (int i = 0; i < 64; ++i) in[i] = i;
    const auto outcome = device.run(1, 64, sum_by_tiles, in, out);
    ASSERT_FALSE(outcome.fault) << outcome.fault->text;
    for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], 64 * i + 28);
  }
}

TEST(Groups, Grid) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    Device device;
    device.seed = seed;
    device.cooperative = true;
    auto* const in = device.buffer<int>("in", 640);
    auto* const between = device.buffer<int>("between", 640);
    auto* const out = device.buffer<int>("out", 640);
    for (int i = 0; i < 640; ++i) in[i] = i;
    const auto outcome = device.run(10, 64, reverse_in_grid, in, between, out);
    ASSERT_FALSE(outcome.fault) << outcome.fault->text;
    for (int i = 0; i < 640; ++i) EXPECT_EQ(out[i], 639 - i);
  }
}

}  // namespace
}  // namespace d2l::emulator::testing
