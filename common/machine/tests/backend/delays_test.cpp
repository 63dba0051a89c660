// SPDX-License-Identifier: MIT
// Seeded delays: how long work takes, also for a thread that pauses or polls.
#include "backend/virtual_gpu/delays.h"

#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "backend/rig.h"
#include "gtest/gtest.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

/// What the host reads without waiting. The race is intended, so it is hidden from the thread sanitizer.
__attribute__((no_sanitize("thread"))) float read_at_once(const float* memory) {
  return *static_cast<const volatile float*>(memory);
}

TEST(Delays, OutlastAPausedThreadButNotAPatientPoll) {
  const VirtualRig gpus(1);
  auto* const pinned = static_cast<float*>(gpus->allocate_pinned(sizeof(float)));
  const auto issue = [&](float value) {
    *pinned = -1;
    gpus->copy_to_host(0, pinned, gpus.filled(0, 1, value), sizeof(float), HostMemory::pinned, nullptr);
  };
  backend::set_virtual_delays(5);
  issue(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));  // longer than any delay, as when the system is busy
  EXPECT_EQ(read_at_once(pinned), -1);
  gpus->synchronize(0);
  EXPECT_EQ(read_at_once(pinned), 1);
  issue(2);
  const auto mark = gpus->record(0);
  while (!mark->done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(read_at_once(pinned), 2);
  backend::set_virtual_delays(std::nullopt);
  gpus->release_pinned(pinned, sizeof(float));
}

TEST(Delays, AreAFunctionOfTheSeedTheDeviceAndTheNumber) {
  using clock = std::chrono::steady_clock;
  const auto lengths = [](std::uint64_t seed, int device) {
    backend::set_virtual_delays(seed);
    backend::DelaySequence sequence(device);
    std::vector<clock::duration> result;
    for (int i = 0; i < 20; ++i) result.push_back(sequence.next()->length());
    return result;
  };
  const auto first = lengths(1, 0);
  EXPECT_EQ(first, lengths(1, 0));
  EXPECT_NE(first, lengths(2, 0));
  EXPECT_NE(first, lengths(1, 1));
  EXPECT_EQ(std::set<clock::duration>(first.begin(), first.end()).size(), first.size());
  backend::set_virtual_delays(std::nullopt);
  EXPECT_FALSE(backend::DelaySequence(0).next());
}

}  // namespace
}  // namespace d2l::tests
