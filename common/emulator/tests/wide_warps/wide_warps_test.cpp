// SPDX-License-Identifier: MIT
// Warps of 64 lanes: what their functions return, what orders accesses, and what a kernel for 32 lanes is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "device.h"
#include "wide_warps/wide_kernels.h"

namespace d2l::emulator::testing {
namespace {

struct WideWarps : ::testing::TestWithParam<std::uint64_t> {
  WideWarps() { device.seed = GetParam(); }

  template <class... Arguments>
  void run(unsigned block, Arguments... arguments) {
    const KernelOutcome outcome = device.run(1, block, arguments...);
    EXPECT_FALSE(outcome.fault) << outcome.fault->text;
  }
  std::string report_of(unsigned block, void (*kernel)(int*)) {
    const KernelOutcome outcome = device.run(1, block, kernel, out);
    return outcome.fault ? outcome.fault->text : "";
  }

  Device device;
  int* in = device.buffer<int>("in", 1024);
  int* out = device.buffer<int>("out", 1024);
  std::uint64_t* lanes = device.buffer<std::uint64_t>("lanes", 1024);
};
INSTANTIATE_TEST_SUITE_P(Seeds, WideWarps, ::testing::Values(0, 1, 2, 3, 4));

/// The lanes of a warp whose thread, with this first one, is a multiple of 3.
std::uint64_t multiples_of_3(unsigned first) {
  std::uint64_t bits = 0;
  for (unsigned lane = 0; lane < 64; ++lane) bits |= std::uint64_t{(first + lane) % 3 == 0 ? 1U : 0U} << lane;
  return bits;
}

TEST_P(WideWarps, BallotsHave64Bits) {
  run(128, ballots, lanes);
  for (unsigned i = 0; i < 128; ++i) {
    EXPECT_EQ(lanes[3 * i], multiples_of_3(i / 64 * 64)) << i;
    EXPECT_EQ(lanes[3 * i + 1], ~std::uint64_t{0}) << i;
    EXPECT_EQ(lanes[3 * i + 2], i % 64 < 40 ? 0 : ~std::uint64_t{0} << 40U) << i;
  }
}
TEST_P(WideWarps, ShufflesReachAllLanes) {
  std::iota(in, in + 1024, 0);
  run(256, sum_of_warp, static_cast<const int*>(in), out, 256U);
  for (int warp = 0; warp < 4; ++warp) EXPECT_EQ(out[warp], 64 * (64 * warp) + 63 * 32);
}
// The last warp has 36 lanes; those that do not exist take no part.
TEST_P(WideWarps, TheLastWarpMayBeSmaller) {
  device.checked = false;  // the sum reads lanes that do not exist
  std::fill_n(in, 1024, 1);
  run(100, sum_of_warp, static_cast<const int*>(in), out, 100U);
  EXPECT_EQ(out[0], 64);
  EXPECT_EQ(out[1], 36);
}
TEST_P(WideWarps, AWidthOf32DividesTheWarp) {
  std::iota(in, in + 1024, 0);
  run(128, sum_of_half, static_cast<const int*>(in), out);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[i], 32 * (i / 32 * 32) + 31 * 16) << i;
}
TEST_P(WideWarps, Votes) {
  run(64, votes, out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 1 + 4 + 8 * 63);
}
TEST_P(WideWarps, Matches) {
  run(64, matches, lanes);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(lanes[2 * i], (std::uint64_t{1} << 32U | 1U) << (i % 32U)) << i;
    EXPECT_EQ(lanes[2 * i + 1], 0U) << i;  // all bits, and one more
  }
}
TEST_P(WideWarps, Tiles) {
  run(128, tiles, out);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[i], 64 + 3200 + 40000 + 6400000) << i;
}
TEST_P(WideWarps, AMeetingOrdersAllLanes) {
  run(64, warp_meets, out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], (i + 32) % 64) << i;
  const std::string report = report_of(64, lanes_without_order);
  EXPECT_NE(report.find("race at "), std::string::npos) << report;
}
TEST_P(WideWarps, AMeetingOfAHalfOrdersThatHalf) {
  run(64, halves_meet, out, 1U);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i ^ 1) << i;
  const KernelOutcome outcome = device.run(1, 64, halves_meet, out, 32U);
  ASSERT_TRUE(outcome.fault);
  EXPECT_NE(outcome.fault->text.find("race at "), std::string::npos) << outcome.fault->text;
}

// ── kernels for 32 lanes ──

TEST_P(WideWarps, AMaskOf32LanesIsReported) {
  for (const auto kernel : {mask_of_32_lanes, ballot_of_32_lanes}) {
    const std::string report = report_of(64, kernel);
    EXPECT_NE(report.find("with mask 0x00000000ffffffff, which lacks its own lane"), std::string::npos) << report;
    EXPECT_NE(report.find(": the warps of this program have 64 lanes"), std::string::npos) << report;
  }
}
// The first 32 lanes may meet by themselves.
TEST_P(WideWarps, HalfAWarpMayMeet) { EXPECT_EQ(report_of(64, first_half_alone), ""); }
TEST_P(WideWarps, AShuffleBeyond32LanesIsReported) {
  const std::string report = report_of(64, lane_beyond_the_mask);
  EXPECT_TRUE(report.starts_with("missing lane at ")) << report;
}
TEST_P(WideWarps, HalfAWarpThatWaitsForAllIsReported) {
  const std::string report = report_of(64, first_half_meets);
  EXPECT_NE(report.find("deadlock: __syncwarp with mask 0xffffffffffffffff"), std::string::npos) << report;
  EXPECT_NE(report.find("does not take part"), std::string::npos) << report;
}
TEST_P(WideWarps, ProductsOfMatricesNeedWarpsOf32) {
  const std::string report = report_of(64, product_of_matrices);
  EXPECT_NE(report.find("needs warps of 32 lanes, and those of this program have 64"), std::string::npos) << report;
}

}  // namespace
}  // namespace d2l::emulator::testing
