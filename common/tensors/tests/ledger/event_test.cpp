// SPDX-License-Identifier: MIT
// Events: points in the queue of a device, for which the host and other devices wait.
#include "d2l/event.h"

#include "d2l/testing.h"
#include "gtest/gtest.h"
#include "library.h"

namespace d2l::tests {
namespace {

TEST(Event, ThatWasNotRecordedIsDone) {
  const Event event;
  EXPECT_TRUE(event.query());
  event.synchronize();
  event.block(cpu());
}

TEST(Event, OfTheCpuIsDoneAtOnce) {
  Event event;
  event.record(cpu());
  EXPECT_TRUE(event.query());
  event.synchronize();
  for (const auto& device : gpus(num_gpus())) event.block(device);
}

TEST(Event, OfAMissingDeviceIsAnError) {
  Event event;
  EXPECT_THROW(event.record(gpu(num_gpus())), DeviceError);
  EXPECT_THROW(event.block(gpu(num_gpus())), DeviceError);
}

TEST(Event, IsDoneWhenTheWorkBeforeItIs) {
  for (const auto& device : gpus(num_gpus())) {
    Event event;
    auto X = ones({1000}, device);
    {
      const testing::HeldQueue held(device);
      X += 1;
      event.record(device);
      EXPECT_FALSE(event.query());
      EXPECT_THROW(event.synchronize(), Error);
    }
    event.synchronize();
    EXPECT_TRUE(event.query());
  }
}

TEST(Event, MayBeRecordedAgain) {
  for (const auto& device : gpus(num_gpus())) {
    Event event;
    auto X = ones({10}, device);
    event.record(device);
    event.synchronize();
    const testing::HeldQueue held(device);
    X += 1;
    event.record(device);
    EXPECT_FALSE(event.query());
  }
}

TEST(Event, MakesOneDeviceWaitForAnotherButNotTheHost) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs, found " << num_gpus();
  auto X = ones({10}, gpu(0));
  auto Y = ones({10}, gpu(1));
  Event produced;
  Event consumed;
  {
    const testing::HeldQueue held(gpu(0));
    X += 1;
    produced.record(gpu(0));
    produced.block(gpu(1));
    Y += 1;
    consumed.record(gpu(1));
    EXPECT_FALSE(consumed.query());
  }
  consumed.synchronize();
  EXPECT_TRUE(produced.query());
}

TEST(Synchronize, IsOneSynchronisationADevice) {
  const TransferLedger ledger;
  for (const auto& device : gpus(num_gpus())) {
    synchronize(device);
    EXPECT_EQ(ledger.entries().back().queue, device);
  }
  EXPECT_EQ(ledger.synchronisations(), num_gpus());
  synchronize();
  EXPECT_EQ(ledger.synchronisations(), 2 * num_gpus());
  synchronize(cpu());
  EXPECT_EQ(ledger.synchronisations(), 2 * num_gpus());
}

}  // namespace
}  // namespace d2l::tests
