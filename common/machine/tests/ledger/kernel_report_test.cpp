// SPDX-License-Identifier: MIT
#include "d2l/kernel_report.h"

#include <gtest/gtest.h>

#include <memory>

#include "d2l/cost_model.h"

namespace d2l {
namespace {

LedgerEntry launch_of(std::uint64_t sectors, bool counted) {
  KernelRun run;
  run.name = "copy";
  run.grid = {4, 1, 1};
  run.block = {256, 1, 1};
  run.counted = counted;
  run.counts.file = "copy.cu";
  run.counts.load_requests = 32;
  run.counts.load_sectors = sectors;
  run.counts.load_bytes = 4096;
  run.counts.active_lanes = 512;
  run.counts.lines.push_back(run.counts);
  run.counts.lines.back().line = 7;
  LedgerEntry entry;
  entry.name = "copy";
  entry.queue = gpu(0);
  entry.kernel = std::make_shared<const KernelRun>(run);
  return entry;
}

TEST(KernelReport, AddsTheLaunchesOfAKernelByLine) {
  const std::string text = kernel_report({launch_of(256, true), launch_of(256, true), launch_of(1, false)});
  EXPECT_NE(text.find("2 launches, all together"), std::string::npos) << text;
  EXPECT_NE(text.find("copy, grid (4, 1, 1), block (256, 1, 1):"), std::string::npos) << text;
  EXPECT_NE(text.find("copy.cu:7                       64       512     8.00     50 %   16.0"), std::string::npos)
      << text;
}

TEST(KernelReport, TellsHowTheWorkIsSpread) {
  KernelRun run = *launch_of(1, true).kernel;
  run.counts.steps = 100;
  run.counts.lane_steps = 1600;
  run.counts.longest_warp = 12;
  run.counts.longest_block = 40;
  run.counts.idle_threads = 1;
  LedgerEntry entry;
  entry.kernel = std::make_shared<const KernelRun>(run);
  const std::string text = kernel_report({entry});
  EXPECT_NE(text.find("100 steps, 16.0 lanes in each; the longest warp 12, the longest block 40; 1 thread and 0 blocks "
                      "access no memory"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("a multiprocessor holds 8 blocks or fewer at once, 64 of 64 warps (limited by threads)"),
            std::string::npos)
      << text;
}

TEST(KernelReport, ResidencyIsLimitedByThreadsBlocksOrSharedMemory) {
  KernelRun run;
  run.block = {33, 1, 1};  // two warps
  EXPECT_EQ(residency(run).blocks, 32U);
  EXPECT_EQ(residency(run).by_threads, 32U);
  EXPECT_EQ(residency(run).warps, 64U);
  run.block = {32, 1, 1};
  EXPECT_EQ(residency(run).by_threads, 64U);
  EXPECT_EQ(residency(run).warps, 32U);
  run.counts.shared_bytes = std::uint64_t{48} << 10;  // 228 / 49
  EXPECT_EQ(residency(run).blocks, 4U);
  run.block = {16, 16, 4};
  EXPECT_EQ(residency(run).blocks, 2U);
}

// A T4 has 40 multiprocessors.
TEST(KernelReport, TheCostModelSeesALaunchThatDoesNotFillTheCard) {
  Card card = card_named("T4");
  card.launch_latency = 0;
  const auto took = [&](std::uint64_t longest_block) {
    LedgerEntry entry = launch_of(1000 * 1000, true);
    KernelRun run = *entry.kernel;
    run.counts.steps = 8000;
    run.counts.longest_block = longest_block;
    entry.kernel = std::make_shared<const KernelRun>(run);
    const LedgerEntry modelled = replay({entry}, card).timeline.front();
    return static_cast<double>(modelled.ended - modelled.began);
  };
  EXPECT_NEAR(took(200) / took(10), 1, 1e-6);
  EXPECT_NEAR(took(400) / took(200), 2, 1e-6);
  EXPECT_NEAR(took(8000) / took(200), 40, 1e-5);
}

TEST(KernelReport, IsEmptyWithoutCounts) { EXPECT_EQ(kernel_report({launch_of(1, false), LedgerEntry()}), ""); }

TEST(KernelReport, TheCostModelTakesWholeSectors) {
  Card card = card_named("T4");
  card.launch_latency = 0;
  const auto took = [&](const LedgerEntry& entry) {
    const LedgerEntry modelled = replay({entry}, card).timeline.front();
    return static_cast<double>(modelled.ended - modelled.began);
  };
  constexpr std::uint64_t sectors = 1000 * 1000 * 100;
  LedgerEntry plain;
  plain.queue = gpu(0);
  plain.bytes = 32 * static_cast<std::int64_t>(sectors);
  LedgerEntry counted = launch_of(sectors, true);
  counted.bytes = 5;
  EXPECT_NEAR(took(counted) / took(plain), 1.0, 1e-6);
}

}  // namespace
}  // namespace d2l
