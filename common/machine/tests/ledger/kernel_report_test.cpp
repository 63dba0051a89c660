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
  EXPECT_NE(text.find("copy.cu:7                       64       512     8.00     50 %"), std::string::npos) << text;
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
