// SPDX-License-Identifier: MIT
// The requests of loads and stores of matrices against those of nvcc's code for compute capability 8.0.
#include <gtest/gtest.h>

#include "expect_requests.h"
#include "matrix_counts_kernels.h"

namespace d2l::emulator::testing {
namespace {

struct MatrixCounts : CountedCopies {};
INSTANTIATE_TEST_SUITE_P(Seeds, MatrixCounts, ::testing::Values(0, 1, 2));

void expect_global(const KernelOutcome& outcome, std::uint64_t loads, std::uint64_t load_sectors, std::uint64_t stores,
                   std::uint64_t store_sectors) {
  expect(outcome, loads, load_sectors, stores, store_sectors);
  EXPECT_EQ(outcome.counts.divergent_warps, 0U);
}
/// The loop writes the tile in this many requests of one pass each; keep() stores 4 sectors.
void expect_shared(const KernelOutcome& outcome, std::uint64_t written, std::uint64_t loads, std::uint64_t passes) {
  expect_global(outcome, 0, 0, 1, 4);
  EXPECT_EQ(outcome.counts.shared_requests, written + loads);
  EXPECT_EQ(outcome.counts.shared_passes, written + passes);
}

// Four lanes load 16 bytes of a row, and the warp 8 rows: 4 requests for 16 rows of 32 bytes, half of a sector each.
// The lanes exchange elements for the other order.
TEST_P(MatrixCounts, Halves) {
  for (const bool by_row : {true, false}) {
    const auto outcome = device.run(1, 32, load_halves, in, out, by_row);
    expect_global(outcome, 4, 4 * 8, 1, 4);
    EXPECT_EQ(outcome.counts.load_bytes, 16U * 16 * 2);
  }
}
// Four lanes store 32 bytes of a row, 8 each.
TEST_P(MatrixCounts, FloatsByRow) { expect_global(device.run(1, 32, store_floats, out, true), 0, 0, 4, 4 * 8); }
// Eight lanes store 32 bytes of a column, 4 each.
TEST_P(MatrixCounts, FloatsByColumn) { expect_global(device.run(1, 32, store_floats, out, false), 0, 0, 8, 8 * 4); }
// A byte each: 4 columns of 8 bytes.
TEST_P(MatrixCounts, BytesByColumn) { expect_global(device.run(1, 32, load_bytes_by_column, in, out), 8, 8 * 4, 1, 4); }
// One request for 16 x 16 halves, in 4 passes of 8 rows. Rows that are 32 bytes apart are in the same banks as the
// fourth one after them.
TEST_P(MatrixCounts, SharedHalves) {
  expect_shared(device.run(1, 32, load_shared_halves<16>, out), 4, 1, 8);
  expect_shared(device.run(1, 32, load_shared_halves<24>, out), 6, 1, 4);
}
TEST_P(MatrixCounts, SharedBytes) { expect_shared(device.run(1, 32, load_shared_bytes, out), 2, 1, 2); }
// Two matrices: the other lanes' addresses do not count.
TEST_P(MatrixCounts, TwoMatrices) { expect_shared(device.run(1, 32, load_few_rows, out), 2, 1, 2); }
// Both warps make three products of 16 x 16 x 16, and the first one a product of 8 x 8 x 4.
TEST_P(MatrixCounts, Products) {
  for (const bool counted : {true, false}) {
    device.counted = counted;
    const auto outcome = device.run(1, 64, multiply_often, out);
    EXPECT_EQ(outcome.counts.matrix_products, 2U * 3 + 1);
    EXPECT_EQ(outcome.counts.matrix_multiply_adds, 2U * 3 * 16 * 16 * 16 + 8 * 8 * 4);
    EXPECT_EQ(out[0], 3 * 16 + 4);
  }
}

}  // namespace
}  // namespace d2l::emulator::testing
