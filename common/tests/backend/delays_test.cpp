// SPDX-License-Identifier: MIT
// Seeded delays and held queues: a program without a needed wait fails every time; with the wait it never fails.
#include "backend/virtual_gpu/delays.h"

#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "backend/rig.h"
#include "base/non_copyable.h"
#include "gtest/gtest.h"

namespace d2l::tests {
namespace {

using backend::HostMemory;

/// A program that copies a result to pinned memory and reads it, with or without the needed wait.
class Program : d2l::detail::NonCopyable {
 public:
  Program()
      : device_memory_(gpus_.allocate(0, elements)),
        pinned_(static_cast<float*>(gpus_->allocate_pinned(elements * sizeof(float)))) {}
  ~Program() { gpus_->release_pinned(pinned_, elements * sizeof(float)); }

  /// Issues work whose result is `value`.
  void issue(float value) {
    pinned_[0] = -1;
    gpus_.fill(0, device_memory_, elements, value);
    gpus_->copy_to_host(0, pinned_, device_memory_, elements * sizeof(float), HostMemory::pinned, nullptr);
  }
  void wait() { gpus_->synchronize(0); }
  /// What the host reads without waiting. The race is intended, so it is hidden from the thread sanitizer.
  [[nodiscard]] __attribute__((no_sanitize("thread"))) float read() const {
    return *static_cast<volatile const float*>(pinned_);
  }
  [[nodiscard]] const VirtualRig& gpus() const { return gpus_; }

 private:
  static constexpr std::size_t elements = 16;
  VirtualRig gpus_{1};
  void* device_memory_;
  float* pinned_;
};

constexpr int seeds = 1000;

/// With each of 1000 seeds, how often a program reads the right result.
int successes(bool waits) {
  Program program;
  int right = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    backend::set_virtual_delays(seed);
    const auto value = static_cast<float>(seed);
    program.issue(value);
    if (waits) program.wait();
    if (program.read() == value) ++right;
    if (!waits) program.wait();
  }
  backend::set_virtual_delays(std::nullopt);
  return right;
}

TEST(Delays, WithoutTheWaitAProgramFailsWithEverySeed) { EXPECT_EQ(successes(false), 0); }

TEST(Delays, WithTheWaitAProgramSucceedsWithEverySeed) { EXPECT_EQ(successes(true), seeds); }

TEST(Delays, APausedThreadIsNotLucky) {
  Program program;
  backend::set_virtual_delays(5);
  program.issue(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));  // longer than any delay, as when the system is busy
  EXPECT_EQ(program.read(), -1);
  program.wait();
  EXPECT_EQ(program.read(), 1);
  backend::set_virtual_delays(std::nullopt);
}

TEST(Delays, APatientPollEnds) {
  Program program;
  backend::set_virtual_delays(5);
  program.issue(1);
  const auto mark = program.gpus()->record(0);
  while (!mark->done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(program.read(), 1);
  backend::set_virtual_delays(std::nullopt);
}

TEST(Delays, WorkInAHeldQueueDoesNotBegin) {
  Program program;
  for (int round = 0; round < 100; ++round) {
    program.gpus().hold(0);
    program.issue(1);
    EXPECT_EQ(program.read(), -1);
    program.gpus().release(0);
    program.wait();
    EXPECT_EQ(program.read(), 1);
  }
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
