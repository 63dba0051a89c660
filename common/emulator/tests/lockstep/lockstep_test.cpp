// SPDX-License-Identifier: MIT
// The counts of random kernels against a warp that executes them in lockstep.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "device.h"
#include "lockstep/expected.h"
#include "lockstep/machine.h"

void lockstep::fill(int (&table)[256]) {
  for (int i = 0; i < 256; ++i) table[i] = element(Memory::table, i);
}

namespace d2l::emulator::testing {
namespace {

TEST(Lockstep, CountsAsAWarpInLockstep) {
  Device device;
  device.checked = false;
  device.counted = true;
  int* const in = device.buffer<int>("in", 1024);
  int* const out = device.buffer<int>("out", 2048);
  for (int i = 0; i < 1024; ++i) in[i] = lockstep::element(lockstep::Memory::in, i);
  for (std::size_t i = 0; i < lockstep::programs.size(); ++i) {
    const auto& program = lockstep::programs[i];
    for (device.seed = 0; device.seed < 20; ++device.seed) {
      const KernelOutcome outcome = device.run(1, lockstep::lanes, program.kernel, 0, static_cast<const int*>(in), out);
      ASSERT_FALSE(outcome.fault) << outcome.fault->text;
      bool same = true;
      for (const auto& line : program.lines) {
        const auto found = std::ranges::find(outcome.counts.lines, line.line, &LineCounts::line);
        const LineCounts at = found == outcome.counts.lines.end() ? LineCounts{} : *found;
        const auto requests = at.load_requests + at.store_requests + at.shared_requests;
        const auto sectors = at.load_sectors + at.store_sectors + at.shared_passes;
        const auto text = [&](auto... counts) {
          return fmt::format("program {}, line {}: {} requests, {} sectors, {} lanes", i, line.line, counts...);
        };
        const std::string expected = text(line.requests, line.sectors, line.active_lanes);
        EXPECT_EQ(text(requests, sectors, at.active_lanes), expected) << "seed " << device.seed;
        same = same && requests == line.requests;
      }
      EXPECT_EQ(outcome.counts.lines.size(), program.lines.size()) << "program " << i;
      if (!same) break;
    }
  }
}

}  // namespace
}  // namespace d2l::emulator::testing
