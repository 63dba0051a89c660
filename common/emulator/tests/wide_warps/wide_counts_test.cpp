// SPDX-License-Identifier: MIT
// The counts of kernels with warps of 64 lanes against calculations by hand. The kernels are those of counts_test.cpp.
#include <gtest/gtest.h>

#include "counts_kernels.h"
#include "expect_requests.h"

namespace d2l::emulator::testing {
namespace {

struct WideCounts : CountedCopies {};
INSTANTIATE_TEST_SUITE_P(Seeds, WideCounts, ::testing::Values(0, 1, 2, 3, 4));

// 4 blocks of 256 threads are 16 warps: 16 requests; 64 floats are 8 sectors.
TEST_P(WideCounts, Contiguous) {
  const auto outcome = device.run(4, 256, contiguous, in, out);
  expect(outcome, 16, 128, 16, 128);
  EXPECT_EQ(outcome.counts.warps, 16U);
  EXPECT_EQ(outcome.counts.load_bytes, 4096U);
  EXPECT_EQ(outcome.counts.active_lanes, 2U * 1024U);
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
}
TEST_P(WideCounts, StridedBy2) { expect(device.run(4, 256, strided, in, out, 2), 16, 256, 16, 128); }
TEST_P(WideCounts, StridedBy32) { expect(device.run(4, 256, strided, in, out, 32), 16, 1024, 16, 128); }
// 64 floats that begin 4 bytes after a sector are in 9.
TEST_P(WideCounts, OffsetByOne) { expect(device.run(4, 256, offset_by_one, in, out), 16, 144, 16, 128); }
TEST_P(WideCounts, Broadcast) {
  const auto outcome = device.run(4, 256, broadcast, in, out);
  expect(outcome, 16, 16, 16, 128);
  EXPECT_EQ(outcome.counts.load_bytes, 16U * 4);
}
// 52 lanes of one warp read 26 floats, 104 bytes; they write 208 bytes.
TEST_P(WideCounts, PairsOfLanesReadTheSame) {
  const auto outcome = device.run(1, 52, pairs, in, out);
  expect(outcome, 1, 4, 1, 7);
  EXPECT_EQ(outcome.counts.load_bytes, 104U);
}
// 64 times 16 bytes are 32 sectors.
TEST_P(WideCounts, FourFloats) {
  expect(device.run(4, 256, four_floats, reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out)), 16, 512,
         16, 512);
}
// A warp is two rows of a tile. 32 lanes are served at once: a row is one pass, a column without padding 32.
TEST_P(WideCounts, TransposeWithoutPadding) {
  const auto outcome = device.run(dim3(2, 2), dim3(32, 32), transpose<0>, in, out, 64);
  expect(outcome, 64, 512, 64, 512);
  EXPECT_EQ(outcome.counts.shared_requests, 128U);
  EXPECT_EQ(outcome.counts.shared_passes, 64U * 2U + 64U * 64U);
}
TEST_P(WideCounts, TransposeWithPadding) {
  const auto outcome = device.run(dim3(2, 2), dim3(32, 32), transpose<1>, in, out, 64);
  expect(outcome, 64, 512, 64, 512);
  EXPECT_EQ(outcome.counts.shared_passes, 128U * 2U);
}
// 4 warps load and store, 2 passes each; then 2 warps, 1 warp with 64 lanes, and 6 times one with at most 32 make 2
// loads and 1 store each; one thread reads sums[0].
TEST_P(WideCounts, Reduction) {
  const auto outcome = device.run(1, 256, reduction, in, out);
  expect(outcome, 4, 32, 1, 1);
  EXPECT_EQ(outcome.counts.shared_requests, 4U + 3U * (2 + 1 + 6) + 1U);
  EXPECT_EQ(outcome.counts.shared_passes, 2U * 4U + 3U * (2 * 2 + 2 + 6) + 1U);
  EXPECT_EQ(outcome.counts.barriers, 8U);
}
// Each branch makes its own requests, of every second float: all 8 sectors. Only one branch loads.
TEST_P(WideCounts, DivergentBranch) {
  const auto outcome = device.run(1, 128, divergent, in, out);
  expect(outcome, 2, 16, 4, 32);
  EXPECT_EQ(outcome.counts.divergent_warps, 2U);
}
// 64 doubles are 512 bytes, 16 sectors; 64 bytes are two.
TEST_P(WideCounts, Doubles) {
  expect(device.run(2, 64, doubles, reinterpret_cast<const double*>(in), reinterpret_cast<double*>(out)), 2, 2 * 16, 2,
         2 * 16);
}
TEST_P(WideCounts, Bytes) {
  expect(device.run(2, 64, bytes, reinterpret_cast<const unsigned char*>(in), reinterpret_cast<unsigned char*>(out)), 2,
         2 * 2, 2, 2 * 2);
}
// A block of 100 threads is a warp of 64 and one of 36: 8 and 4.5 sectors.
TEST_P(WideCounts, APartOfAWarp) {
  const auto outcome = device.run(1, 100, contiguous, in, out);
  expect(outcome, 2, 8 + 5, 2, 8 + 5);
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
  EXPECT_EQ(outcome.counts.warps, 2U);
}
// 40 of 128 threads: the first warp parts, and the second does nothing.
TEST_P(WideCounts, Guard) {
  const auto outcome = device.run(1, 128, guarded, in, out, 40);
  expect(outcome, 1, 5, 1, 5);
  EXPECT_EQ(outcome.counts.load_bytes, 160U);
  EXPECT_EQ(outcome.counts.divergent_warps, 1U);
}
// A warp is 8 rows of 8, each of 32 bytes and 64 bytes from the next.
TEST_P(WideCounts, RowsOfABlock) { expect(device.run(1, dim3(8, 16), rows, in, out, 16), 2, 2 * 8, 2, 2 * 8); }
// 16 bytes a thread: 8 lanes fill the 32 banks, so 8 passes.
TEST_P(WideCounts, SharedVectors) {
  const auto outcome =
      device.run(1, 64, shared_vectors, reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out));
  expect(outcome, 1, 32, 1, 32);
  EXPECT_EQ(outcome.counts.shared_requests, 2U);
  EXPECT_EQ(outcome.counts.shared_passes, 8U * 2);
}
// More accesses than a log keeps.
TEST_P(WideCounts, LongLoop) {
  const auto outcome = device.run(2, 64, long_loop, in, out, 5000);
  expect(outcome, 2 * 5000, 2 * 5000 * 8, 2, 2 * 8);
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
}

}  // namespace
}  // namespace d2l::emulator::testing
