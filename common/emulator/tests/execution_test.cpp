// SPDX-License-Identifier: MIT
// How kernels are executed: what memory they need, and how they are stopped.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

#include "base/page_size.h"
#include "device.h"
#include "execution_kernels.h"
#include "fibers/fibers.h"

namespace d2l::emulator::testing {
namespace {

/// The memory of the process that is in use, in bytes.
std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * detail::page_bytes();
}

// A kernel protects whole pages: with pages of 64 KiB, a smaller guard would take a part of the stack.
TEST(Execution, GuardsOfStacksAreWholePagesOnEveryMachine) {
  constexpr std::size_t largest_page = 65536;
  static_assert(FiberPool::guard_bytes % largest_page == 0 && FiberPool::stack_bytes % largest_page == 0);
  FiberPool pool;
  const Fiber* const first = pool.take([] {});
  const Fiber* const second = pool.take([] {});
  EXPECT_TRUE(first->guarded && second->guarded);
  EXPECT_EQ(static_cast<std::size_t>(second->low - first->low), FiberPool::stride());
  EXPECT_TRUE(pool.is_guard(second->low - 1));
  EXPECT_TRUE(pool.is_guard(second->low - FiberPool::guard_bytes));
  EXPECT_FALSE(pool.is_guard(second->low));
  *first->low = *second->low = std::byte{1};
}

TEST(Execution, ManyDevicesNeedLittleMemory) {
#ifdef D2L_FIBERS_UNDER_ASAN
  GTEST_SKIP() << "the address sanitizer needs memory of its own";
#endif
  constexpr int devices = 64;
  const std::size_t before = resident_bytes();
  std::latch all(devices + 1);
  std::latch measured(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < devices; ++i) {
    threads.emplace_back([&] {
      Device device;
      device.checked = false;
      auto* const out = device.buffer<float>("out", 1024);
      EXPECT_FALSE(device.run(1, 1024, meet_at_barrier, out, &all).fault);
      EXPECT_EQ(out[1023], 1023);
      measured.wait();  // a thread's stacks are kept until it ends
    });
  }
  all.arrive_and_wait();  // all blocks are in the middle
  const std::size_t used = resident_bytes() - before;
  measured.count_down();
  for (auto& thread : threads) thread.join();
  EXPECT_LE(used, devices * 1024 * std::max<std::size_t>(16384, 2 * detail::page_bytes()));
  EXPECT_GE(used, std::size_t{devices} * 1024 * 4096);  // else the measurement is wrong
}

// The checks would report the mask first.
TEST(Execution, ADeadlockNamesTheMaskInTheSource) {
  Device device;
  device.checked = false;
  const KernelOutcome outcome = device.run(1, 32, shuffle_outside_its_mask, device.buffer<float>("out", 32));
  ASSERT_TRUE(outcome.fault);
  EXPECT_NE(outcome.fault->text.find("deadlock: a shuffle with mask 0x0000ffff at"), std::string::npos)
      << outcome.fault->text;
}

TEST(Execution, AnInterruptNamesTheKernel) {
#ifdef D2L_FIBERS_UNDER_TSAN
  GTEST_SKIP() << "the thread sanitizer delays signals";
#endif
  Device device;
  device.name = "endless";
  EXPECT_EXIT(device.run(1, 32, interrupt), ::testing::KilledBySignal(SIGINT), "kernel endless has not ended");
}

}  // namespace
}  // namespace d2l::emulator::testing
