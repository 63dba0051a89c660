// SPDX-License-Identifier: MIT
// The counts of kernels against calculations by hand.
#include <gtest/gtest.h>

#include "counts_kernels.h"
#include "expect_requests.h"

namespace d2l::emulator::testing {
namespace {

struct Counts : CountedCopies {};
INSTANTIATE_TEST_SUITE_P(Seeds, Counts, ::testing::Values(0, 1, 2, 3, 4));

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
// All lanes ask for the same 4 bytes of a sector.
TEST_P(Counts, Broadcast) {
  const auto outcome = device.run(4, 256, broadcast, in, out);
  expect(outcome, 32, 32, 32, 128);
  EXPECT_EQ(outcome.counts.load_bytes, 32U * 4);
}
// Two lanes ask for the same float: 16 floats, 2 sectors. 20 lanes of the second warp: 10 floats, 40 bytes.
TEST_P(Counts, PairsOfLanesReadTheSame) {
  const auto outcome = device.run(1, 52, pairs, in, out);
  expect(outcome, 2, 2 + 2, 2, 4 + 3);
  EXPECT_EQ(outcome.counts.load_bytes, 64U + 40U);
  EXPECT_EQ(outcome.counts.store_bytes, 128U + 80U);
}
// Constant memory is no global memory: only the stores are requests.
TEST_P(Counts, ConstantMemory) {
  auto* const constants = device.buffer<float>("constants", 64);
  std::const_pointer_cast<Allocation>(device.table.find(constants))->constant = true;
  expect(device.run(4, 256, broadcast, constants, out), 0, 0, 32, 128);
}
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
// 2 blocks of 64 are 4 warps. 32 doubles are 256 bytes, 8 sectors; 32 bytes are one.
TEST_P(Counts, Doubles) {
  expect(device.run(2, 64, doubles, reinterpret_cast<const double*>(in), reinterpret_cast<double*>(out)), 4, 4 * 8, 4,
         4 * 8);
}
TEST_P(Counts, Bytes) {
  expect(device.run(2, 64, bytes, reinterpret_cast<const unsigned char*>(in), reinterpret_cast<unsigned char*>(out)), 4,
         4 * 1, 4, 4 * 1);
}
// A block of 48 threads is a warp of 32 and one of 16: 4 + 2 sectors.
TEST_P(Counts, HalfAWarp) {
  const auto outcome = device.run(3, 48, contiguous, in, out);
  expect(outcome, 3 * 2, 3 * (4 + 2), 3 * 2, 3 * (4 + 2));
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
  EXPECT_EQ(outcome.counts.warps, 6U);
}
// 100 of 128 threads: 3 warps of 32, and 4 threads, half a sector.
TEST_P(Counts, Guard) {
  const auto outcome = device.run(1, 128, guarded, in, out, 100);
  expect(outcome, 4, 3 * 4 + 1, 4, 3 * 4 + 1);
  EXPECT_EQ(outcome.counts.load_bytes, 400U);
}
// A warp is 4 rows of 8, each of 32 bytes and 64 bytes from the next: 4 sectors; 16 rows are 4 warps.
TEST_P(Counts, RowsOfABlock) { expect(device.run(1, dim3(8, 16), rows, in, out, 16), 4, 4 * 4, 4, 4 * 4); }
// Rows of 12: a warp is two rows and 8 of the third; with 48 bytes a row there are no gaps: 128 bytes. 36 threads: the
// second warp has 4.
TEST_P(Counts, RowsThatAreNoPartOfAWarp) { expect(device.run(1, dim3(12, 3), rows, in, out, 12), 2, 4 + 1, 2, 4 + 1); }
TEST_P(Counts, AtomicsOnOneAddress) {
  auto* const counter = device.buffer<int>("counter", 1);
  const auto outcome = device.run(2, 64, one_counter, counter);
  expect(outcome, 0, 0, 0, 0);
  EXPECT_EQ(outcome.counts.atomics, 128U);
  EXPECT_EQ(outcome.counts.shared_atomics, 0U);
}
TEST_P(Counts, AtomicsOnSharedMemory) {
  auto* const counters = device.buffer<int>("counters", 2);
  const auto outcome = device.run(2, 64, one_counter_a_block, counters);
  EXPECT_EQ(counters[0] + counters[1], 128);
  EXPECT_EQ(outcome.counts.atomics, 2U * 64U + 2U);
  EXPECT_EQ(outcome.counts.shared_atomics, 2U * 64U);
}
// 16 bytes a thread: a quarter of a warp fills the 32 banks, so 4 passes; 2 warps load and store.
TEST_P(Counts, SharedVectors) {
  const auto outcome =
      device.run(1, 64, shared_vectors, reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out));
  expect(outcome, 2, 2 * 16, 2, 2 * 16);
  EXPECT_EQ(outcome.counts.shared_requests, 2U + 2U);
  EXPECT_EQ(outcome.counts.shared_passes, 4U * (2 + 2));
}
// A vector of constants is one store, too: 4 passes of shared memory, 16 sectors.
TEST_P(Counts, ConstantVectors) {
  const auto outcome = device.run(1, 32, constant_vectors, reinterpret_cast<float4*>(out));
  expect(outcome, 0, 0, 1, 16);
  EXPECT_EQ(outcome.counts.shared_requests, 1U);
  EXPECT_EQ(outcome.counts.shared_passes, 4U);
}
// The threads share the copy, 16 bytes each: 2 warps load and store, and read the tile again.
TEST_P(Counts, CopyByAGroup) {
  const auto outcome = device.run(1, 64, group_copy, in, out);
  expect(outcome, 2, 2 * 16, 2, 2 * 4);
  EXPECT_EQ(outcome.counts.shared_requests, 2U + 2U);
  EXPECT_EQ(outcome.counts.shared_passes, 2U * 4 + 2U * 1);
}
// Three accesses of 4 bytes, 12 bytes apart: each touches all 12 sectors of the 384 bytes.
TEST_P(Counts, StructuresOf12Bytes) {
  expect(device.run(1, 64, points, reinterpret_cast<const Point*>(in), reinterpret_cast<Point*>(out)), 2 * 3,
         2 * 3 * 12, 2 * 3, 2 * 3 * 12);
}
// More accesses than a log keeps: 4 warps load 5000 times.
TEST_P(Counts, LongLoop) {
  const auto outcome = device.run(2, 64, long_loop, in, out, 5000);
  expect(outcome, 4 * 5000, 4 * 5000 * 4, 4, 4 * 4);
  EXPECT_EQ(outcome.counts.load_bytes, 4U * 5000 * 128);
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
}
// Steps of 2 words use every second bank: 2 words in each. Of 32 words: all in one bank. Of 3: no conflict.
TEST_P(Counts, SharedStrides) {
  for (const auto& [stride, passes] : {std::pair{1, 1U}, {2, 2U}, {3, 1U}, {4, 4U}, {8, 8U}, {31, 1U}, {32, 32U}}) {
    const auto outcome = device.run(1, 32, shared_stride, out, stride);
    EXPECT_EQ(outcome.counts.shared_requests, 1U);
    EXPECT_EQ(outcome.counts.shared_passes, passes) << "stride " << stride;
  }
}

// ── lanes of a warp that part ──

TEST_P(Counts, OneLaneAnIteration) {
  const auto outcome = device.run(1, 32, one_lane_an_iteration, in, out);
  expect(outcome, 32, 32, 32, 32);
  EXPECT_EQ(outcome.counts.active_lanes, 64U);
  EXPECT_EQ(outcome.counts.divergent_warps, 1U);
}
// 250 vectors: 7 warps of 32, and 26 lanes with 416 bytes; the last 3 floats are one request.
TEST_P(Counts, VectorsAndARest) {
  expect(device.run(1, 128, vectors_and_a_rest, in, out, 1003), 9, 7 * 16 + 13 + 1, 9, 7 * 16 + 13 + 1);
}
// 31 warps of 32 floats, none of which begins at a sector, and the first 11 floats.
TEST_P(Counts, Backwards) { expect(device.run(1, 128, backwards, in, out, 1003), 32, 31 * 5 + 2, 32, 31 * 5 + 2); }
TEST_P(Counts, TilesOfAWarp) {
  const auto outcome = device.run(1, 32, tiles_of_a_warp, in, out, 2048);
  expect(outcome, 64, 256, 64, 256);
  EXPECT_EQ(outcome.counts.shared_requests, 128U);
  EXPECT_EQ(outcome.counts.shared_passes, 128U);
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
}
// More than a log keeps, and lanes that part in each iteration; the second warp has 8 lanes.
TEST_P(Counts, TheSameForAll) {
  const auto outcome = device.run(1, 64, same_for_all, reinterpret_cast<const float4*>(in), out, 40, 2000);
  expect(outcome, 2 * 2000, 2 * 2000, 2, 4 + 1);
  EXPECT_EQ(outcome.counts.active_lanes, 40U * 2000 + 40);
}
// 8 lanes leave in each of 4 iterations, before 24, 16 and 8 others load the same float and store.
TEST_P(Counts, LeavesWithWork) {
  const auto outcome = device.run(1, 32, leaves_with_work, in, out);
  expect(outcome, 3, 3, 4 + 3 + 1, 4 + (3 + 2 + 1) + 4);
  EXPECT_EQ(outcome.counts.active_lanes, 2U * (24 + 16 + 8) + 4 * 8 + 32);
}
// A quarter of the lanes leaves each of the 4 iterations early, and waits for the others.
TEST_P(Counts, Continues) {
  const auto outcome = device.run(1, 32, continues, in, out);
  expect(outcome, 4, 4, 4, 16);
  EXPECT_EQ(outcome.counts.active_lanes, 2U * 4 * 24);
}
// 8 lanes are at each depth; those that are deeper return first.
TEST_P(Counts, Recursion) {
  const auto outcome = device.run(1, 32, recursion, in, out);
  expect(outcome, 4, 4, 4, 16);
  EXPECT_EQ(outcome.counts.active_lanes, 2U * (8 + 16 + 24 + 32));
}
TEST_P(Counts, HalvesThatMeet) {
  const auto outcome = device.run(1, 32, halves, in, out, 1000);
  expect(outcome, 2 * 1000, 2 * 1000 * 2, 1, 4);
}

// The threads part for thousands of steps, and come together for the store.
TEST_P(Counts, LongLoopWithoutAccesses) {
  auto* const numbers = device.buffer<int>("numbers", 64);
  for (int i = 0; i < 64; ++i) numbers[i] = i * 37 + 5;
  const auto outcome = device.run(1, 64, long_loop_without_accesses, numbers, reinterpret_cast<int*>(out));
  expect(outcome, 2, 8, 2, 8);
  EXPECT_EQ(outcome.counts.divergent_warps, 2U);
  EXPECT_GT(outcome.counts.steps, 20000U);
}

// ── how the work is spread ──

TEST_P(Counts, StepsOfWarpsThatDoTheSame) {
  const KernelCounts counts = device.run(4, 256, contiguous, in, out).counts;
  EXPECT_GT(counts.steps, 0U);
  EXPECT_EQ(counts.steps, counts.longest_warp * 32);
  EXPECT_EQ(counts.steps, counts.longest_block * 4);
  EXPECT_EQ(counts.lane_steps, counts.steps * 32);
  EXPECT_EQ(counts.idle_threads, 0U);
  EXPECT_EQ(counts.idle_blocks, 0U);
}
TEST_P(Counts, ThreadsAndBlocksWithoutWork) {
  const KernelCounts counts = device.run(3, 64, guarded, in, out, 100).counts;
  EXPECT_EQ(counts.idle_threads, 3U * 64 - 100);
  EXPECT_EQ(counts.idle_blocks, 1U);
}
TEST_P(Counts, OneThreadForAll) {
  const KernelCounts counts = device.run(2, 64, long_loop_of_one, in, out, 1000).counts;
  EXPECT_GT(counts.longest_warp, counts.steps / 2);
  EXPECT_GT(counts.longest_block, counts.steps / 2);
  EXPECT_EQ(counts.idle_threads, 127U);
  EXPECT_LT(counts.lane_steps, counts.steps * 2);
}

}  // namespace
}  // namespace d2l::emulator::testing
