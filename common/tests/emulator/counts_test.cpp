// SPDX-License-Identifier: MIT
// The counts of ten kernels against a calculation by hand.
#include <gtest/gtest.h>

#include "counts_kernels.h"
#include "device.h"

namespace d2l::emulator::testing {
namespace {

struct Counts : ::testing::TestWithParam<std::uint64_t> {
  Counts() {
    device.seed = GetParam();
    device.counted = true;
  }
  Device device;
  float* in = device.buffer<float>("in", 65536);
  float* out = device.buffer<float>("out", 65536);
};
INSTANTIATE_TEST_SUITE_P(Seeds, Counts, ::testing::Values(0, 1, 2, 3, 4));

void expect(const KernelOutcome& outcome, std::uint64_t loads, std::uint64_t load_sectors, std::uint64_t stores,
            std::uint64_t store_sectors) {
  EXPECT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.counts.load_requests, loads);
  EXPECT_EQ(outcome.counts.load_sectors, load_sectors);
  EXPECT_EQ(outcome.counts.store_requests, stores);
  EXPECT_EQ(outcome.counts.store_sectors, store_sectors);
}

// 4 blocks of 256 threads are 32 warps: 32 requests; 32 floats are 4 sectors.
TEST_P(Counts, Contiguous) {
  const auto outcome = device.run(4, 256, contiguous, in, out);
  expect(outcome, 32, 128, 32, 128);
  EXPECT_EQ(outcome.counts.load_bytes, 4096U);
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
}
TEST_P(Counts, StridedBy2) { expect(device.run(4, 256, strided, in, out, 2), 32, 256, 32, 128); }
TEST_P(Counts, StridedBy32) { expect(device.run(4, 256, strided, in, out, 32), 32, 1024, 32, 128); }
TEST_P(Counts, OffsetByOne) { expect(device.run(4, 256, offset_by_one, in, out), 32, 160, 32, 128); }
TEST_P(Counts, Broadcast) { expect(device.run(4, 256, broadcast, in, out), 32, 32, 32, 128); }
// 32 times 16 bytes are 16 sectors.
TEST_P(Counts, FourFloats) {
  expect(device.run(4, 256, four_floats, reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out)), 32, 512,
         32, 512);
}
// A warp is one row of a tile. It reads a column: without padding all words are in one bank.
TEST_P(Counts, TransposeWithoutPadding) {
  const auto outcome = device.run(dim3(2, 2), dim3(32, 32), transpose<0>, in, out, 64);
  expect(outcome, 128, 512, 128, 512);
  EXPECT_EQ(outcome.counts.shared_requests, 256U);
  EXPECT_EQ(outcome.counts.shared_passes, 128U + 128U * 32U);
  EXPECT_EQ(outcome.counts.barriers, 4U);
}
TEST_P(Counts, TransposeWithPadding) {
  const auto outcome = device.run(dim3(2, 2), dim3(32, 32), transpose<1>, in, out, 64);
  expect(outcome, 128, 512, 128, 512);
  EXPECT_EQ(outcome.counts.shared_passes, 256U);
}
// A warp reads 32 bytes: one sector. 1024 atomics.
TEST_P(Counts, Histogram) {
  auto* const bytes = device.buffer<unsigned char>("bytes", 1024);
  auto* const bins = device.buffer<int>("bins", 256);
  const auto outcome = device.run(4, 256, histogram, bytes, bins);
  expect(outcome, 32, 32, 0, 0);
  EXPECT_EQ(outcome.counts.atomics, 1024U);
  EXPECT_EQ(bins[0], 1024);
}
// 8 warps load and store; then 4, 2, 1 warps and 5 times 1 warp make 2 loads and 1 store each; one thread reads
// sums[0].
TEST_P(Counts, Reduction) {
  const auto outcome = device.run(1, 256, reduction, in, out);
  expect(outcome, 8, 32, 1, 1);
  EXPECT_EQ(outcome.counts.shared_requests, 8U + 3U * (4 + 2 + 1 + 5) + 1U);
  EXPECT_EQ(outcome.counts.shared_passes, outcome.counts.shared_requests);
  EXPECT_EQ(outcome.counts.barriers, 8U);
}
// Each branch makes its own requests, of every second float: all 4 sectors. Only one branch loads.
TEST_P(Counts, DivergentBranch) {
  const auto outcome = device.run(1, 64, divergent, in, out);
  expect(outcome, 2, 8, 4, 16);
  EXPECT_EQ(outcome.counts.store_bytes, 256U);
  EXPECT_EQ(outcome.counts.divergent_warps, 2U);
}

}  // namespace
}  // namespace d2l::emulator::testing
