// SPDX-License-Identifier: MIT
// The memory requests of CUB's collectives, of a block of 256 threads, against calculations by hand.
// clang-format off: it names functions of the C library anew
#include "collectives/cub_counts_kernels.h"
// clang-format on

#include <gtest/gtest.h>

#include <numeric>

#include "expect_requests.h"

namespace d2l::emulator::testing {
namespace {

struct CubCounts : CountedLaunches {
  CubCounts() { std::iota(in, in + 1024, 1); }
  void expect_shared(const KernelOutcome& outcome, std::uint64_t requests, std::uint64_t passes) {
    EXPECT_EQ(outcome.counts.shared_requests, requests);
    EXPECT_EQ(outcome.counts.shared_passes, passes);
  }
  void expect_copy() {
    for (int i = 0; i < 1024; ++i) ASSERT_EQ(out[i], in[i]) << i;
  }
  int* in = device.buffer<int>("in", 1024);
  int* out = device.buffer<int>("out", 1024);
};
INSTANTIATE_TEST_SUITE_P(Seeds, CubCounts, ::testing::Values(0, 1, 2, 3, 4));

// Shuffles within the warps. The first lane of each stores its sum, and thread 0 loads seven of the eight.
TEST_P(CubCounts, SumOfABlock) {
  const auto outcome = device.run(1, threads, block_sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>, in, out);
  expect(outcome, 8, 32, 1, 1);
  expect_shared(outcome, 8 + 7, 8 + 7);
  EXPECT_EQ(out[0], 256 * 257 / 2);
}
// Each warp stores its values, and the first loads eight for each lane: segments of 8 and a pad. A warp's 32 values
// then lie on 35 words, so three words are in the bank of another.
TEST_P(CubCounts, SumOfABlockByRaking) {
  const auto outcome = device.run(1, threads, block_sum<cub::BLOCK_REDUCE_RAKING>, in, out);
  expect(outcome, 8, 32, 1, 1);
  expect_shared(outcome, 8 + 8, 8 * 2 + 8);
  EXPECT_EQ(out[0], 256 * 257 / 2);
}
// The last lane of each warp stores its sum, and each warp loads all eight.
TEST_P(CubCounts, ScanOfABlockByWarps) {
  const auto outcome = device.run(1, threads, block_scan<cub::BLOCK_SCAN_WARP_SCANS>, in, out);
  expect(outcome, 8, 32, 8, 32);
  expect_shared(outcome, 8 + 8 * 8, 8 + 8 * 8);
  EXPECT_EQ(out[255], 256 * 257 / 2);
}
// All warps store and load their values. The first warp loads its segments twice and stores them; one lane stores the
// total.
TEST_P(CubCounts, ScanOfABlockByRaking) {
  const auto outcome = device.run(1, threads, block_scan<cub::BLOCK_SCAN_RAKING>, in, out);
  expect(outcome, 8, 32, 8, 32);
  expect_shared(outcome, 8 + 3 * 8 + 1 + 8, 8 * 2 + 3 * 8 + 1 + 8 * 2);
  for (int i = 0; i < threads; ++i) ASSERT_EQ(out[i], (i + 1) * (i + 2) / 2) << i;
}
TEST_P(CubCounts, SumOfAWarp) {
  const auto outcome = device.run(1, 32, warp_sum, in, out);
  expect(outcome, 1, 4, 1, 1);
  expect_shared(outcome, 0, 0);
  EXPECT_EQ(out[0], 32 * 33 / 2);
}

// Each of the four accesses of a warp goes through 512 bytes.
TEST_P(CubCounts, DirectCopy) {
  const auto outcome = device.run(1, threads, block_copy<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>, in, out);
  expect(outcome, 8 * 4, 8 * 4 * 16, 8 * 4, 8 * 4 * 16);
  expect_shared(outcome, 0, 0);
  expect_copy();
}
TEST_P(CubCounts, CopyOfVectors) {
  const auto outcome =
      device.run(1, threads, block_copy<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>, in, out);
  expect(outcome, 8, 8 * 16, 8, 8 * 16);
  expect_shared(outcome, 0, 0);
  expect_copy();
}
// Global memory is read and written in order. In shared memory, lanes access every fourth word on one side: four
// passes.
TEST_P(CubCounts, TransposedCopy) {
  const auto outcome =
      device.run(1, threads, block_copy<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>, in, out);
  expect(outcome, 8 * 4, 8 * 4 * 4, 8 * 4, 8 * 4 * 4);
  expect_shared(outcome, 4 * 8 * 4, 2 * 8 * 4 * (1 + 4));
  expect_copy();
}
TEST_P(CubCounts, CopyTransposedByWarps) {
  const auto outcome =
      device.run(1, threads, block_copy<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>, in, out);
  expect(outcome, 8 * 4, 8 * 4 * 4, 8 * 4, 8 * 4 * 4);
  expect_shared(outcome, 4 * 8 * 4, 2 * 8 * 4 * (1 + 4));
  expect_copy();
}

}  // namespace
}  // namespace d2l::emulator::testing
