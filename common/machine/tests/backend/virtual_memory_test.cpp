// SPDX-License-Identifier: MIT
// The memory of a virtual GPU: its limit, its errors, and the coalescing of free blocks.
#include <algorithm>
#include <random>
#include <string>

#include "backend/rig.h"
#include "backend/virtual_gpu/memory_pool.h"
#include "messages.h"

namespace d2l::tests {
namespace {

using backend::MemoryPool;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::string message_of_allocation(const VirtualRig& gpus, std::size_t bytes) {
  return message_of<OutOfMemoryError>([&] { return gpus->allocate(0, bytes); });
}

TEST(VirtualMemory, EndsAtItsLimitAndGoesOn) {
  const VirtualRig gpus;
  void* const kept = gpus->allocate(0, 40 * mebibyte);
  gpus.fill(0, kept, 10 * (1 << 20), 5);
  const auto message = message_of_allocation(gpus, 32 * mebibyte);
  for (const char* const part : {"CUDA out of memory. Tried to allocate 32.00 MiB (GPU 0; 64.00 MiB total capacity; "
                                 "40.00 MiB already allocated; "
                                 "24.00 MiB free",
                                 "cuda:0", "D2L_VIRTUAL_GPUS="}) {
    EXPECT_TRUE(contains(message, part));
  }
  void* const fits = gpus->allocate(0, 24 * mebibyte);
  gpus.fill(0, fits, 6 * (1 << 20), 6);
  gpus.fill(1, gpus->allocate(1, 64 * mebibyte), 16 * (1 << 20), 7);
  EXPECT_EQ(gpus.read(0, kept, 10 << 20), std::vector<float>(10 << 20, 5));
  EXPECT_EQ(gpus.read(0, fits, 6 << 20), std::vector<float>(6 << 20, 6));
  gpus->synchronize(1);
}

TEST(VirtualMemory, IsToldInReadableUnits) {
  const VirtualRig gpus(1, 1 << 10);
  gpus->allocate(0, 1024);
  const auto message = message_of_allocation(gpus, 1536);
  EXPECT_TRUE(contains(message,
                       "Tried to allocate 1.50 KiB (GPU 0; 1024 bytes total capacity; 1024 bytes already "
                       "allocated; 0 bytes free"));
}

TEST(VirtualMemory, RefusesSizesThatNoCounterHolds) {
  const VirtualRig gpus;
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 511, SIZE_MAX / 2}) {
    EXPECT_TRUE(contains(message_of_allocation(gpus, bytes), "out of memory"));
  }
  EXPECT_EQ(gpus->memory(0).blocks, 0);
}

TEST(VirtualMemory, OfNoBytesIsStillABlock) {
  const VirtualRig gpus;
  void* const a = gpus->allocate(0, 0);
  void* const b = gpus->allocate(0, 0);
  EXPECT_NE(a, b);
  EXPECT_EQ(gpus->owner(a), 0);
  gpus->release(0, a, 0);
  gpus->release(0, b, 0);
  EXPECT_EQ(gpus->memory(0).blocks, 0);
}

TEST(VirtualMemory, IsCountedByThreeCounters) {
  const VirtualRig gpus;
  void* const memory = gpus->allocate(0, 1000);
  auto info = gpus->memory(0);
  EXPECT_EQ(info.total, 64 << 20);
  EXPECT_EQ(info.requested, 1000);
  EXPECT_EQ(info.reserved, 2 << 20);
  EXPECT_GT(info.used, info.reserved);
  EXPECT_EQ(info.free, info.total - 1024);
  EXPECT_EQ(info.blocks, 1);
  gpus->release(0, memory, 1000);
  info = gpus->memory(0);
  EXPECT_EQ(info.requested, 0);
  EXPECT_EQ(info.reserved, 2 << 20);
  EXPECT_EQ(info.free, info.total);
  EXPECT_EQ(info.blocks, 0);
}

TEST(MemoryPool, JoinsSmallPiecesForALargeBlock) {
  MemoryPool pool(mebibyte);
  std::vector<std::size_t> offsets;
  while (const auto block = pool.allocate(512)) offsets.push_back(block->offset);
  EXPECT_EQ(offsets.size(), mebibyte / 512);
  EXPECT_FALSE(pool.allocate(1));
  std::shuffle(offsets.begin(), offsets.end(), std::mt19937(1));
  for (const std::size_t offset : offsets) pool.release(offset, 512);
  EXPECT_TRUE(pool.allocate(mebibyte));
}

TEST(MemoryPool, LeavesAGapAfterEachBlock) {
  MemoryPool pool(mebibyte, 4096);
  const auto first = pool.allocate(100);
  const auto second = pool.allocate(100);
  ASSERT_TRUE(first && second);
  EXPECT_GE(second->offset, first->offset + 100 + 4096);
  EXPECT_EQ(pool.usage().requested, 200U);
  EXPECT_TRUE(pool.block_at(first->offset + 99));
  EXPECT_FALSE(pool.block_at(first->offset + 100));
  pool.release(first->offset, 100);
  pool.release(second->offset, 100);
  EXPECT_EQ(pool.usage().free, mebibyte);
  EXPECT_FALSE(pool.allocate(SIZE_MAX - 4096));
  EXPECT_TRUE(pool.allocate(mebibyte - 4096));
}

TEST(MemoryPool, FailsOnlyWithoutContiguousSpace) {
  MemoryPool pool(4 * mebibyte);
  const auto first = pool.allocate(mebibyte);
  const auto second = pool.allocate(mebibyte);
  const auto third = pool.allocate(mebibyte);
  ASSERT_TRUE(first && second && third);
  pool.release(first->offset, mebibyte);
  pool.release(third->offset, mebibyte);
  EXPECT_FALSE(pool.allocate(3 * mebibyte));
  EXPECT_EQ(pool.usage().free, 3 * mebibyte);
  EXPECT_EQ(pool.usage().largest, 2 * mebibyte);
  EXPECT_TRUE(pool.allocate(2 * mebibyte));
  EXPECT_TRUE(pool.allocate(mebibyte));
}

TEST(MemoryPool, NeverHandsOutAByteTwice) {
  constexpr std::size_t granules = 2048;
  MemoryPool pool(granules * MemoryPool::granularity);
  std::vector<bool> taken(granules, false);
  std::vector<bool> fresh(granules, true);
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  std::mt19937 random(7);
  for (int step = 0; step < 20'000; ++step) {
    const bool give_back = !blocks.empty() && random() % 2 == 0;
    if (give_back) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const auto [offset, bytes] = blocks.back();
      blocks.pop_back();
      pool.release(offset, bytes);
      for (std::size_t i = 0; i < (bytes + 511) / 512; ++i) taken[offset / 512 + i] = false;
      continue;
    }
    const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 200'000 : 4000);
    const auto block = pool.allocate(bytes);
    if (!block) continue;
    blocks.emplace_back(block->offset, bytes);
    for (std::size_t i = block->offset / 512; i < (block->offset + bytes + 511) / 512; ++i) {
      ASSERT_FALSE(taken[i]);
      taken[i] = true;
      ASSERT_EQ(fresh[i], i * 512 >= block->fresh_begin && i * 512 < block->fresh_end);
      fresh[i] = false;
    }
  }
}

}  // namespace
}  // namespace d2l::tests
