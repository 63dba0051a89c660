// SPDX-License-Identifier: MIT
// HeldUntilAwaited and Watch: work does not begin before the program waits for it.
#include "d2l/held_until_awaited.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "library.h"

namespace d2l::tests {
namespace {

using testing::HeldUntilAwaited;

bool is_launch(const LedgerEntry& entry) { return entry.kind == LedgerEntry::Kind::launch; }

TEST(Watch, SeesEachEntryInItsThreadBeforeTheDevice) {
  std::vector<std::string> seen;
  const auto here = std::this_thread::get_id();
  {
    const testing::Watch watch([&](const LedgerEntry& entry) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      if (is_launch(entry)) seen.push_back(entry.name);
    });
    static_cast<void>(ones({2}) + 1);
  }
  static_cast<void>(ones({2}) * 2);
  EXPECT_EQ(seen, (std::vector<std::string>{"fill", "add"}));
}

TEST(HeldUntilAwaited, ReleasesTheWorkWhenTheProgramWaits) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  for (int again = 0; again < 20; ++again) {
    const HeldUntilAwaited held(is_launch);
    const Tensor x = ones({2}, gpu(0)) + 1;
    Event done;
    done.record(gpu(0));
    EXPECT_FALSE(done.query());
    EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{2, 2}));
    EXPECT_TRUE(done.query());
    static_cast<void>(x + x);
    done.record(gpu(0));
    EXPECT_FALSE(done.query()) << "held again";
    synchronize(gpu(0));
    EXPECT_TRUE(done.query());
  }
}

TEST(HeldUntilAwaited, HoldsEachDeviceSeparately) {
  if (num_gpus() < 2) GTEST_SKIP() << "this needs two GPUs";
  const HeldUntilAwaited held(is_launch);
  std::vector<Event> done(2);
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(ones({2}, gpu(i)));
    done[static_cast<std::size_t>(i)].record(gpu(i));
  }
  synchronize(gpu(1));
  EXPECT_FALSE(done[0].query());
  EXPECT_TRUE(done[1].query());
}

TEST(HeldUntilAwaited, EndsWithItsScopeAndAfterAWhile) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  Event done;
  {
    HeldUntilAwaited held([](const LedgerEntry&) { return false; });
    held.hold(gpu(0));
    static_cast<void>(ones({2}, gpu(0)));
    done.record(gpu(0));
    EXPECT_FALSE(done.query());
  }
  done.synchronize();
  const HeldUntilAwaited held(is_launch, {.unawaited = std::chrono::milliseconds(1)});
  static_cast<void>(ones({2}, gpu(0)));
  done.record(gpu(0));
  while (!done.query()) std::this_thread::yield();
}

}  // namespace
}  // namespace d2l::tests
