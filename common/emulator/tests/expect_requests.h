// SPDX-License-Identifier: MIT
// expect(): the memory requests of a launch that had no fault.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "execution/run_kernel.h"

namespace d2l::emulator::testing {

inline void expect(const KernelOutcome& outcome, std::uint64_t loads, std::uint64_t load_sectors, std::uint64_t stores,
                   std::uint64_t store_sectors) {
  EXPECT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.counts.load_requests, loads);
  EXPECT_EQ(outcome.counts.load_sectors, load_sectors);
  EXPECT_EQ(outcome.counts.store_requests, stores);
  EXPECT_EQ(outcome.counts.store_sectors, store_sectors);
}

}  // namespace d2l::emulator::testing
