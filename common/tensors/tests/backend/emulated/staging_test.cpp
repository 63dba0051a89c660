// SPDX-License-Identifier: MIT
// Copies of pageable memory on emulated cards: when the host waits, and what the ledger says about it.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "backend/card_rig.h"
#include "d2l/testing.h"
#include "d2l_emulator/awkward.h"
#include "gtest/gtest.h"
#include "library.h"

namespace d2l::backend {
namespace {

using emulator::awkward;
using emulator::blocking_calls;
using emulator::pinned_allocations;
using emulator::stall;

constexpr std::size_t mebi = std::size_t{1} << 20;

class StagedCopies : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("D2L_EMULATED_CARDS", "2:512MiB", 0);
    if (cuda_backend().device_count() == 0) GTEST_SKIP() << "needs an emulated card";
  }
  static std::vector<float> numbers(std::size_t count, float first = 0) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  static void to_card(void* memory, const std::vector<float>& host, std::shared_ptr<Span> span = nullptr) {
    cuda_backend().copy_to_device(0, memory, host.data(), host.size() * sizeof(float), HostMemory::pageable,
                                  std::move(span));
  }
  static bool ends_soon(const std::future<void>& work) {
    return work.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
  }
  const tests::CardRig card_{std::shared_ptr<Backend>(&cuda_backend(), [](Backend*) {})};
};

TEST_F(StagedCopies, ToTheDeviceDoNotWaitAndHaveReadTheMemory) {
  std::vector<float> host = numbers(mebi);
  const std::vector<float> expected = host;
  void* const memory = card_.allocate(0, static_cast<std::int64_t>(host.size()));
  to_card(memory, host, std::make_shared<Span>());  // creates the staging memory and the clock
  cuda_backend().synchronize(0);
  stall(0, true);
  const std::int64_t before = blocking_calls();
  const auto span = std::make_shared<Span>();
  std::promise<void> done;
  std::thread copier([&] {
    to_card(memory, host, span);
    done.set_value();
  });
  EXPECT_TRUE(ends_soon(done.get_future()));
  EXPECT_EQ(blocking_calls(), before);
  EXPECT_FALSE(span->waited);
  stall(0, false);
  copier.join();
  std::fill(host.begin(), host.end(), -1.0F);
  EXPECT_EQ(card_.read(0, memory, host.size()), expected);
  cuda_backend().release(0, memory, host.size() * sizeof(float));
}

TEST_F(StagedCopies, OfAnySizeAreReadAtOnceWhereTheCardReadsPageableMemory) {
  if (!awkward().uses_pageable_memory) GTEST_SKIP() << "needs D2L_AWKWARD_CARDS=uses_pageable_memory";
  std::vector<float> host = numbers(100);
  void* const memory = card_.allocate(0, 100);
  stall(0, true);
  to_card(memory, host);
  std::fill(host.begin(), host.end(), -1.0F);
  stall(0, false);
  EXPECT_EQ(card_.read(0, memory, 100), numbers(100));
  cuda_backend().release(0, memory, 400);
}

TEST_F(StagedCopies, ToTheHostDoNotHoldUpOtherThreads) {
  void* const memory = card_.filled(0, mebi, 3);
  cuda_backend().synchronize(0);
  stall(0, true);
  std::vector<float> values(mebi);
  std::thread copier([&] { values = card_.read(0, memory, mebi); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::future<void> other = std::async(std::launch::async, [&] { card_.fill(0, memory, 10, 4); });
  EXPECT_TRUE(ends_soon(other));
  stall(0, false);
  copier.join();
  EXPECT_EQ(values, std::vector<float>(mebi, 3));
  cuda_backend().release(0, memory, mebi * sizeof(float));
}

TEST_F(StagedCopies, LargerThanTheStagingMemoryKeepTheirValues) {
  const std::vector<float> host = numbers(10 * mebi + 3);
  void* const memory = card_.allocate(0, static_cast<std::int64_t>(host.size()));
  for (int round = 0; round < 2; ++round) {
    to_card(memory, host);
    EXPECT_EQ(card_.read(0, memory, host.size()), host);
  }
  cuda_backend().release(0, memory, host.size() * sizeof(float));
}

TEST_F(StagedCopies, OfAnySizeAllocatePinnedMemoryOnce) {
  const std::vector<float> host = numbers(20 * mebi);  // 80 MiB
  void* const memory = card_.allocate(0, static_cast<std::int64_t>(host.size()));
  to_card(memory, host);
  const std::int64_t before = pinned_allocations();
  to_card(memory, host);
  EXPECT_EQ(card_.read(0, memory, host.size()), host);
  EXPECT_EQ(pinned_allocations(), before);
  cuda_backend().release(0, memory, host.size() * sizeof(float));
}

TEST_F(StagedCopies, OfSeveralThreadsKeepTheirValues) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t round = 0; round < 8; ++round) {
        const std::size_t count = round % 2 == 0 ? mebi / 2 + round : 3 * mebi;
        const std::vector<float> host = numbers(count, static_cast<float>(thread * 100));
        void* const memory = card_.allocate(0, static_cast<std::int64_t>(count));
        to_card(memory, host);
        EXPECT_EQ(card_.read(0, memory, count), host);
        cuda_backend().release(0, memory, count * sizeof(float));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(StagedCopies, OfAHeldQueueKeepTheirValues) {
  std::vector<float> host = numbers(10 * mebi);
  const std::vector<float> expected = host;
  void* const memory = card_.allocate(0, static_cast<std::int64_t>(host.size()));
  std::vector<float> back(host.size());
  card_.hold(0);
  to_card(memory, host);
  cuda_backend().copy_to_host(0, back.data(), memory, back.size() * sizeof(float), HostMemory::pageable, nullptr);
  const auto mark = cuda_backend().record(0);
  std::fill(host.begin(), host.end(), -1.0F);
  EXPECT_FALSE(mark->done());
  card_.release(0);
  mark->wait();
  EXPECT_EQ(back, expected);
  cuda_backend().release(0, memory, host.size() * sizeof(float));
}

TEST_F(StagedCopies, SayWhenTheyWaitedForRoom) {
  const std::vector<float> host = numbers(5 * mebi);
  void* const memory = card_.allocate(0, static_cast<std::int64_t>(host.size()));
  to_card(memory, host, std::make_shared<Span>());
  cuda_backend().synchronize(0);
  stall(0, true);
  const auto span = std::make_shared<Span>();
  std::thread copier([&] { to_card(memory, host, span); });  // 20 MiB
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  stall(0, false);
  copier.join();
  EXPECT_TRUE(span->waited);
  EXPECT_EQ(card_.read(0, memory, host.size()), host);
  span->resolve();
  EXPECT_GE(span->began.load(), 0);
  EXPECT_GE(span->ended.load(), span->began.load());
  cuda_backend().release(0, memory, host.size() * sizeof(float));
}

TEST_F(StagedCopies, BetweenCardsWithoutPeerAccessDoNotWait) {
  if (num_gpus() < 2 || device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host)
    GTEST_SKIP() << "needs two cards";
  testing::set_peer_access(false);
  const Tensor x = arange(20.0 * mebi, gpu(0));  // 80 MiB
  Tensor y = empty_like(x, TensorOptions().device(gpu(1)));
  const auto copy = [&] {
    const TransferLedger ledger;
    const std::int64_t before = blocking_calls();
    y.copy_(x);
    const std::int64_t calls = blocking_calls() - before;
    EXPECT_EQ(ledger.synchronisations(), 0);
    std::vector<std::int64_t> legs;
    for (const LedgerEntry& entry : ledger.entries()) {
      if (entry.kind != LedgerEntry::Kind::copy) continue;
      EXPECT_TRUE(entry.leg);
      EXPECT_GE(entry.began, entry.issued);
      EXPECT_GE(entry.ended, entry.began);
      legs.push_back(entry.bytes);
    }
    EXPECT_EQ(legs, std::vector<std::int64_t>(2, 80 * std::int64_t{mebi}));
    return calls;
  };
  for (int i = 0; i < 2; ++i) {   // the second copy returns the memory of the first to the cache
    const TransferLedger ledger;  // which measures the clocks
    y.copy_(x);                   // creates the pinned memory
    synchronize();
  }
  // A thread of an earlier test may make such a call at the same time, so one copy without any is enough.
  EXPECT_EQ(std::min({copy(), copy(), copy()}), 0);
  EXPECT_TRUE(y.cpu().equal(x.cpu()));
  testing::set_peer_access(true);
}

}  // namespace
}  // namespace d2l::backend
