// SPDX-License-Identifier: MIT
// The host's caching allocator: sizes, reuse, limits, threads, and its errors.
#include "backend/cpu/host_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/size_classes.h"
#include "backend/test_switches.h"
#include "d2l/error.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "kernels/kernel_arrays.h"
#include "messages.h"
#include "ops/launch.h"

namespace d2l::backend::host_memory {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define D2L_KEEPS_NOTHING
#endif
#endif

TEST(HostMemory, SizeClassesWasteAnEighthAtMost) {
  for (std::size_t bytes = 513; bytes < (std::size_t{1} << 40); bytes += bytes / 7) {
    const std::size_t block = class_bytes(class_of(bytes));
    EXPECT_GE(block, bytes);
    EXPECT_LE(block, bytes + bytes / 8 + alignment);
    EXPECT_EQ(class_of(block), class_of(bytes));
    EXPECT_EQ(class_of(block + 1), class_of(bytes) + 1);
  }
}

TEST(HostMemory, BlocksAreAlignedDistinctAndWritable) {
  std::vector<std::pair<char*, std::size_t>> blocks;
  for (const std::size_t bytes : std::initializer_list<std::size_t>{1, 24, 64, 65, 4096, 70'000, 5'000'000, 24, 24}) {
    auto* memory = static_cast<char*>(allocate(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
    std::memset(memory, static_cast<int>(blocks.size()), bytes);
    blocks.emplace_back(memory, bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [memory, bytes] = blocks[i];
    for (std::size_t j = 0; j < bytes; ++j) ASSERT_EQ(memory[j], static_cast<char>(i));
    release(memory, bytes);
  }
}

TEST(HostMemory, CountsWhatIsAskedForAndHeld) {
  const auto before = usage();
  void* small = allocate(100);
  void* large = allocate(3'000'000);
  const auto during = usage();
  EXPECT_EQ(during.requested - before.requested, 3'000'100);
  EXPECT_GE(during.reserved, during.requested);
  release(small, 100);
  release(large, 3'000'000);
  EXPECT_EQ(usage().requested, before.requested);
}

#ifndef D2L_KEEPS_NOTHING
TEST(HostMemory, AFreedBlockServesTheNextRequestOfItsSize) {
  for (const std::size_t bytes : std::initializer_list<std::size_t>{24, 40'000, 8'000'000}) {
    void* first = allocate(bytes);
    release(first, bytes);
    void* second = allocate(bytes);
    EXPECT_EQ(first, second) << bytes;
    release(second, bytes);
  }
}

TEST(HostMemory, WhatIsKeptIsBoundedAndCanBeGivenBack) {
  const auto bound = static_cast<std::int64_t>(system_memory().total / 8);
  constexpr std::size_t bytes = std::size_t{100} << 20;
  trim();
  const auto before = usage().reserved;
  // Untouched pages take no memory.
  std::vector<void*> blocks(static_cast<std::size_t>(bound) / bytes + 3);
  for (auto& block : blocks) block = allocate(bytes);
  for (void* block : blocks) release(block, bytes);
  EXPECT_LE(usage().reserved - before, bound);
  EXPECT_GT(usage().reserved, before);
  trim();
  EXPECT_LE(usage().reserved, before);
}
#endif

TEST(HostMemory, MoreThanThereIsIsRefusedWithNumbers) {
  const auto total = static_cast<std::size_t>(system_memory().total);
  for (const std::size_t bytes : {2 * total, std::size_t{1} << 60}) {
    const auto message = tests::message_of<OutOfMemoryError>([&] { release(allocate(bytes), bytes); });
    for (const auto& part :
         {"you tried to allocate " + std::to_string(bytes) + " bytes", std::string("free"), std::string("cpu")}) {
      EXPECT_TRUE(tests::contains(message, part));
    }
  }
  release(allocate(64), 64);
}

TEST(HostMemory, BlocksMoveBetweenThreads) {
  const auto before = usage().requested;
  constexpr std::size_t thread_count = 4;
  constexpr std::size_t rounds = 200;
  std::vector<std::vector<void*>> blocks(thread_count, std::vector<void*>(rounds));
  const auto size_of = [](std::size_t round) { return round % 3 == 0 ? 200'000 + round : 40 + round; };
  const auto on_all_threads = [](const auto& work) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) threads.emplace_back(work, i);
    for (auto& thread : threads) thread.join();
  };
  on_all_threads([&](std::size_t i) {
    for (std::size_t round = 0; round < rounds; ++round) {
      blocks[i][round] = allocate(size_of(round));
      std::memset(blocks[i][round], static_cast<int>(i), size_of(round));
    }
  });
  on_all_threads([&](std::size_t i) {
    const std::size_t other = (i + 1) % thread_count;
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto* bytes = static_cast<const unsigned char*>(blocks[other][round]);
      ASSERT_EQ(bytes[size_of(round) - 1], other);
      release(blocks[other][round], size_of(round));
    }
  });
  EXPECT_EQ(usage().requested, before);
}

TEST(CpuBackend, SaysWhatItIsAndHasNoQueueToHold) {
  Backend& backend = cpu_backend();
  EXPECT_EQ(backend.device_count(), 1);
  EXPECT_FALSE(backend.properties(0).name.empty());
  EXPECT_GE(backend.properties(0).multiprocessors, 1);
  EXPECT_GT(backend.memory(0).total, backend.memory(0).free);
  EXPECT_TRUE(backend.record(0)->done());
  int local = 0;
  EXPECT_EQ(backend.owner(&local), std::nullopt);
  EXPECT_EQ(dynamic_cast<TestSwitches*>(&backend), nullptr);
}

TEST(CpuBackend, RefusesAKernelThatDoesNotExist) {
  const auto arguments = testing::arguments_of({}, {testing::number(kBool, 0), testing::number(kBool, 0)});
  EXPECT_TRUE(
      tests::contains(tests::message_of<TypeError>([&] { find_kernel(cpu_backend(), Operation::log, arguments); }),
                      "\"log_cpu\" not implemented for 'Bool'"));
}

TEST(CpuBackend, ThreadCountIsAtLeastOne) {
  const int before = get_num_threads();
  EXPECT_GE(before, 1);
  set_num_threads(3);
  EXPECT_EQ(get_num_threads(), 3);
  EXPECT_THROW(set_num_threads(0), ValueError);
  EXPECT_THROW(set_num_threads(-2), ValueError);
  EXPECT_THROW(set_num_threads(1'000'000), ValueError);
  EXPECT_EQ(get_num_threads(), 3);
  set_num_threads(before);
}

}  // namespace
}  // namespace d2l::backend::host_memory
