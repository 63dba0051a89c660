// SPDX-License-Identifier: MIT
// Timing: it times finished work only, its numbers are ordered, and it names the kind of device.
#include "d2l/timing.h"

#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "d2l/testing.h"
#include "gtest/gtest.h"
#include "library.h"

namespace d2l {
namespace {

using std::chrono::milliseconds;

bool has_virtual_gpus() { return num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host; }

TEST(Timing, IsNeverShorterThanTheWork) {
  const auto timing = measure([] { std::this_thread::sleep_for(milliseconds(2)); }, {0, 0.1, 3});
  EXPECT_GE(timing.low, 0.002);
  EXPECT_LE(timing.low, timing.median);
  EXPECT_LE(timing.median, timing.high);
  EXPECT_GE(timing.runs, 1);
}

TEST(Timing, IsNeverShorterThanWorkOfAGpu) {
  if (!has_virtual_gpus()) GTEST_SKIP() << "only virtual GPUs can be slowed down";
  // Each call returns at once, but its work cannot be done before another thread releases the queue 5 ms later.
  std::vector<std::thread> threads;
  const auto work = [&threads] {
    const auto is_held = std::make_shared<std::promise<void>>();
    threads.emplace_back([is_held] {
      const testing::HeldQueue held(gpu(0));
      is_held->set_value();
      std::this_thread::sleep_for(milliseconds(5));
    });
    is_held->get_future().wait();
    (void)ones({2, 3}, gpu(0));
  };
  const auto timing = measure(work, {0, 0.05, 2});
  for (auto& thread : threads) thread.join();
  EXPECT_GE(timing.low, 0.0045) << "5 ms minus the time to issue the work";
}

TEST(Timing, SynchronisesBeforeTheClockStartsAndBeforeItStops) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  const TransferLedger ledger;
  int calls = 0;
  const auto timing = measure(
      [&calls] {
        ++calls;
        std::this_thread::sleep_for(milliseconds(2));
      },
      {0, 0.02, 1});
  // At 2 ms each, a run is one call. The first call determines the devices and is not timed.
  EXPECT_GT(calls, timing.runs + 1);
  EXPECT_EQ(ledger.synchronisations(), 2 * (calls - 1) * num_gpus());
}

TEST(Timing, RepeatsShortWorkWithinARun) {
  std::atomic<std::int64_t> calls{0};
  const auto timing = measure([&calls] { ++calls; }, {0, 0.05, 3});
  EXPECT_GT(calls, 100 * timing.runs);
  EXPECT_GT(timing.median, 0);
  EXPECT_LT(timing.median, 1e-4);
}

TEST(Timing, StopsAtTheLimit) {
  const auto timing = measure([] { std::this_thread::sleep_for(milliseconds(20)); }, {0.01, 0.01, 1000});
  EXPECT_EQ(timing.runs, 1);
  EXPECT_FALSE(timing.stable) << "fewer runs than the minimum";
}

TEST(Timing, PropagatesErrors) {
  EXPECT_THROW(measure([] { throw std::logic_error("mine"); }), std::logic_error);
  int calls = 0;
  EXPECT_THROW(measure([&calls] {
                 if (++calls == 4) throw std::logic_error("mine");
               }),
               std::logic_error);
}

TEST(Timing, RefusesInvalidLimits) {
  const auto work = [] {};
  EXPECT_THROW(measure(work, {-1, 2, 5}), ValueError);
  EXPECT_THROW(measure(work, {0.1, 0.05, 5}), ValueError);
  EXPECT_THROW(measure(work, {0, 2, 0}), ValueError);
  EXPECT_THROW(measure(work, {0, std::numeric_limits<double>::quiet_NaN(), 5}), ValueError);
  EXPECT_THROW(measure(work, {0, std::numeric_limits<double>::infinity(), 5}), ValueError);
  EXPECT_THROW(measure(nullptr), ValueError);
}

TEST(Timing, SaysThatItTimedHostThreads) {
  const TimingLimits brief{0, 0.01, 1};
  EXPECT_FALSE(measure([] { (void)(ones({2, 3}) + 1); }, brief).on_virtual_gpus) << "work of the CPU";
  if (num_gpus() == 0) return;
  const auto timing = measure([] { (void)(ones({2, 3}, gpu(0)) + 1); }, brief);
  EXPECT_EQ(timing.on_virtual_gpus, has_virtual_gpus());
  EXPECT_EQ(repr(timing).find("host threads, not a GPU") != std::string::npos, has_virtual_gpus());
}

TEST(Timing, IsPrintedWithThreeDigitsAndItsSpread) {
  EXPECT_EQ(repr(Timing{1.523e-3, 1.5e-3, 1.6e-3, 33, true}), "1.52 ms (1.50 to 1.60 ms, 33 runs)");
  EXPECT_EQ(repr(Timing{12.34e-6, 9.99e-6, 123.4e-6, 1, true}), "12.3 µs (9.99 to 123 µs, 1 run)");
  EXPECT_EQ(repr(Timing{7.5e-9, 7.5e-9, 9.999e-9, 5, true}), "7.50 ns (7.50 to 10.0 ns, 5 runs)");
  EXPECT_EQ(repr(Timing{2, 1.5, 100, 5, true}), "2.00 s (1.50 to 100 s, 5 runs)");
  EXPECT_EQ(repr(Timing{2, 1.5, 3, 5, false, true}),
            "2.00 s (1.50 to 3.00 s, 5 runs, not settled; host threads, not a GPU)");
}

TEST(Timer, ReadsSecondsAfterEveryDeviceHasFinished) {
  const Timer timer;
  std::this_thread::sleep_for(milliseconds(2));
  const double first = timer.seconds();
  EXPECT_GE(first, 0.002);
  EXPECT_GE(timer.seconds(), first);
}

TEST(Timer, WaitsForTheWork) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  const TransferLedger ledger;
  const Timer timer;
  const auto x = ones({256, 256}, gpu(0));
  const auto y = x.mm(x).mm(x);
  const double seconds = timer.seconds();
  EXPECT_EQ(ledger.synchronisations(), 2 * num_gpus()) << "at the start and at the read";
  std::int64_t busy = 0;
  for (const auto& entry : ledger.entries()) {
    if (entry.kind == LedgerEntry::Kind::launch) busy += entry.ended - entry.began;
  }
  EXPECT_GE(seconds, static_cast<double>(busy) * 1e-9 * 0.9) << "it includes the time of the device";
}

}  // namespace
}  // namespace d2l
