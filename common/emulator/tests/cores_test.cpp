// SPDX-License-Identifier: MIT
// Blocks on several cores: each runs once, and a fault ends all.
#include "execution/cores.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "device.h"
#include "execution/block_source.h"
#include "execution_kernels.h"

namespace d2l::emulator::testing {
namespace {

TEST(BlockOrder, IsAPermutation) {
  for (const std::uint64_t seed : {0U, 1U, 7U, 20261U}) {
    for (std::uint64_t count = 1; count < 200; ++count) {
      BlockOrder order(count, seed);
      std::vector<int> times(count);
      for (std::uint64_t i = 0; i < count; ++i) ++times.at(order.next());
      EXPECT_EQ(times, std::vector<int>(count, 1)) << count << " blocks, seed " << seed;
    }
  }
}

TEST(BlockOrder, OfLargeGridsHasGroupsInBothDirections) {
  constexpr std::uint64_t count = 1111;
  for (const std::uint64_t seed : {0U, 1U, 7U}) {
    BlockOrder order(count, seed, true);
    std::vector<int> times(count);
    std::uint64_t before = 0;
    int up = 0;
    int down = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t block = order.next();
      ++times.at(block);
      if (i > 0 && block == before + 1) ++up;
      if (i > 0 && block + 1 == before) ++down;
      before = block;
    }
    EXPECT_EQ(times, std::vector<int>(count, 1)) << "seed " << seed;
    EXPECT_GT(up + down, 1000) << "seed " << seed;
    if (seed == 0) {
      EXPECT_EQ(up, 1110);
    } else {
      EXPECT_GT(up, 100);
      EXPECT_GT(down, 100);
    }
  }
}

TEST(BlockSource, OrdersThreadsOfLargeGridsAsTheirBlocks) {
  const BlockSource source(2048, 7, true);
  int down = 0;
  for (std::uint64_t block = 0; block < 2048; block += 32) {
    Order order = source.threads_of(block, 100);
    const bool descends = BlockOrder::is_down(block, 7);
    for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(order.next(), descends ? 99 - i : i);
    down += descends ? 1 : 0;
  }
  EXPECT_GT(down, 10);
  EXPECT_LT(down, 54);
}

TEST(BlockOrder, IsAscendingForSeed0AndMixedForOthers) {
  BlockOrder ascending(1000, 0);
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(ascending.next(), i);
  std::vector<std::uint64_t> place(1000);
  BlockOrder mixed(1000, 7);
  for (std::uint64_t i = 0; i < 1000; ++i) place.at(mixed.next()) = i;
  int after = 0;
  for (std::size_t i = 1; i < 1000; ++i) after += place[i] < place[i - 1] ? 1 : 0;
  EXPECT_GT(after, 100);  // neighbours in both orders
  EXPECT_LT(after, 900);
}

TEST(Cores, EachRunsOnceAndMayRunAgain) {
  Cores cores;
  for (unsigned count = 1; count < 6; ++count) {
    std::vector<std::atomic<int>> times(count);
    for (int i = 0; i < 50; ++i) cores.run(count, [&](unsigned core) { ++times.at(core); });
    for (const auto& each : times) EXPECT_EQ(each, 50);
  }
}

TEST(Cores, EachBlockRunsOnce) {
  constexpr unsigned blocks = 500;
  Device device;
  device.checked = false;
  device.cores = 4;
  auto* const counts = device.buffer<int>("counts", blocks);
  const KernelOutcome outcome = device.run(blocks, 64, count_threads, counts);
  EXPECT_FALSE(outcome.fault);
  for (unsigned i = 0; i < blocks; ++i) EXPECT_EQ(counts[i], 64);
  EXPECT_EQ(outcome.counts.blocks, blocks);
  EXPECT_EQ(outcome.counts.threads, blocks * 64);
  EXPECT_EQ(outcome.counts.barriers, blocks);
  EXPECT_EQ(outcome.counts.atomics, blocks * 64);
}

TEST(Cores, BlocksOfOneCoreWaitForThoseOfAnother) {
  Device device;
  device.checked = false;
  device.cores = 4;
  auto* const counter = device.buffer<int>("counter", 1);
  EXPECT_FALSE(device.run(40, 32, wait_for_all_blocks, counter).fault);
  EXPECT_EQ(*counter, 40);
}

TEST(Cores, AFaultOfOneBlockEndsTheKernel) {
  Device device;
  device.checked = false;
  device.cores = 4;
  auto* const counter = device.buffer<int>("counter", 1);
  const KernelOutcome outcome = device.run(40, 32, wait_for_a_block_that_traps, counter);
  ASSERT_TRUE(outcome.fault);
  EXPECT_NE(outcome.fault->text.find("block (17, 0, 0)"), std::string::npos) << outcome.fault->text;
  *counter = 0;
  EXPECT_FALSE(device.run(40, 32, wait_for_all_blocks, counter).fault);  // the cores go on with the next kernel
}

}  // namespace
}  // namespace d2l::emulator::testing
