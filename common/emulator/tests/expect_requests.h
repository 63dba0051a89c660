// SPDX-License-Identifier: MIT
// What the tests of counts share: launches that are counted, and expect() for their memory requests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "device.h"
#include "execution/run_kernel.h"

namespace d2l::emulator::testing {

/// Launches are counted; the parameter draws the order of threads.
struct CountedLaunches : ::testing::TestWithParam<std::uint64_t> {
  CountedLaunches() {
    device.seed = GetParam();
    device.counted = true;
  }
  Device device;
};
/// With an array to read and one to write.
struct CountedCopies : CountedLaunches {
  float* in = device.buffer<float>("in", 65536);
  float* out = device.buffer<float>("out", 65536);
};

/// Expects no fault, and these memory requests.
inline void expect(const KernelOutcome& outcome, std::uint64_t loads, std::uint64_t load_sectors, std::uint64_t stores,
                   std::uint64_t store_sectors) {
  EXPECT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.counts.load_requests, loads);
  EXPECT_EQ(outcome.counts.load_sectors, load_sectors);
  EXPECT_EQ(outcome.counts.store_requests, stores);
  EXPECT_EQ(outcome.counts.store_sectors, store_sectors);
}

}  // namespace d2l::emulator::testing
