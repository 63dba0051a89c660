// SPDX-License-Identifier: MIT
// The cost model against sums computed by hand for a card with round numbers, and its errors for invalid numbers.
#include <limits>

#include "cost_model/cost_model_sequences.h"
#include "expect_error.h"

namespace d2l {
namespace {

using namespace testing;

constexpr double exact = 1e-9;  // milliseconds

TEST(CostModel, NothingTakesNoTime) {
  const auto modelled = replay(nothing, round_card());
  EXPECT_EQ(modelled.seconds, 0);
  EXPECT_TRUE(modelled.timeline.empty());
}

TEST(CostModel, ALaunchIsTheLongestOfLatencyBytesAndOperations) {
  // 1 to issue it, then 4 of latency.
  EXPECT_NEAR(milliseconds({launch_of(gpu(0), 8)}), 5, exact);
  // 8 million bytes at 10^9 a second: 8.
  EXPECT_NEAR(milliseconds({launch_of(gpu(0), 8'000'000, 2'000'000)}), 9, exact);
  // 6 million operations at 10^9 a second: 6.
  EXPECT_NEAR(milliseconds({launch_of(gpu(0), 8, 6'000'000)}), 7, exact);
  auto in_float64 = launch_of(gpu(0), 8, 6'000'000);
  in_float64.dtype = kDouble;
  EXPECT_NEAR(milliseconds({in_float64}), 13, exact);
}

TEST(CostModel, AGraphIsSubmittedOnceAndItsLaunchesHaveAGapEach) {
  Card card = round_card();
  card.graph_gap = 0.25e-3;
  auto captured = launch_of(gpu(0), 1'000'000);  // a millisecond
  captured.captured = true;
  const auto modelled = replay({entry_of(Kind::replay, gpu(0)), captured, captured}, card);
  EXPECT_DOUBLE_EQ(modelled.seconds, 1e-3 + 2 * 1.25e-3);
  EXPECT_EQ(modelled.timeline[1].began, 1'000'000);
  EXPECT_EQ(modelled.timeline[2].began, 2'250'000);
  const auto one = launch_of(gpu(0), 1'000'000);
  EXPECT_DOUBLE_EQ(replay({one, one}, card).seconds, 1e-3 + 2 * 4e-3) << "without a graph each has its latency";
  card.graph_gap = -1;
  EXPECT_THROW(replay({captured}, card), ValueError);
}

TEST(CostModel, ARangeTakesNoTime) {
  EXPECT_EQ(replay({entry_of(Kind::range_push, cpu()), entry_of(Kind::range_pop, cpu())}, round_card()).seconds, 0);
}

TEST(CostModel, AProductFillsTheCardTileByTile) {
  // 64 × 64 results are one tile on one of ten cores, which reaches half of its peak: 20 times 2 × 64³ operations.
  EXPECT_NEAR(milliseconds({product_of(gpu(0), 64)}), 1 + 20 * 0.524288, exact);
  // 256 × 256 are 16 tiles, two each on eight of ten cores.
  EXPECT_NEAR(milliseconds({product_of(gpu(0), 256)}), 1 + 33.554432 * 20 / 16, exact);
  // 640 × 640 are 100 tiles, ten each: the peak.
  EXPECT_NEAR(milliseconds({product_of(gpu(0), 640)}), 1 + 524.288, exact);
}

TEST(CostModel, ACopyIsLatencyAndBytes) {
  EXPECT_NEAR(milliseconds({copy_of(cpu(), gpu(0), 1000)}), 1 + 2 + 1, exact);
  EXPECT_NEAR(milliseconds({copy_of(gpu(0), cpu(), 1000)}), 1 + 3 + 2, exact);
  EXPECT_NEAR(milliseconds({copy_of(gpu(0), gpu(1), 1000)}), 1 + 1 + 0.5, exact);
  // Pageable memory is copied at a quarter of a million bytes per second.
  EXPECT_NEAR(milliseconds({copy_of(cpu(), gpu(0), 1000, true)}), 1 + 2 + 4, exact);
  EXPECT_NEAR(milliseconds({copy_of(gpu(0), cpu(), 1000, true)}), 1 + 3 + 4, exact);
  auto card = round_card();
  card.host.pageable_bandwidth = 1e12;
  EXPECT_NEAR(seconds_on(card, {copy_of(cpu(), gpu(0), 1000, true)}) * 1e3, 1 + 2 + 1, exact)
      << "the link is the limit";
  // The legs of a copy through the host use pinned memory.
  auto leg = copy_of(cpu(), gpu(0), 1000, true);
  leg.leg = true;
  EXPECT_NEAR(milliseconds({leg}), 1 + 2 + 1, exact);
  // Within a device every byte is read and written, at 10^9 a second.
  EXPECT_NEAR(milliseconds({copy_of(gpu(0), gpu(0), 5'000'000)}), 1 + 10, exact);
}

TEST(CostModel, TheHostWaitsWhilePageableMemoryIsRead) {
  // 1 to issue, 4 to read 1000 bytes; then 1 more to issue a launch on another card, which takes 4.
  EXPECT_NEAR(milliseconds({copy_of(cpu(), gpu(0), 1000, true), launch_of(gpu(1), 0)}), 1 + 4 + 1 + 4, exact);
  EXPECT_NEAR(milliseconds({copy_of(cpu(), gpu(0), 1000), launch_of(gpu(1), 0)}), 1 + 1 + 4, exact);
  // The queue writes pageable memory: it takes 7 after the issue, and the other launch is done by then.
  EXPECT_NEAR(milliseconds({copy_of(gpu(0), cpu(), 1000, true), launch_of(gpu(1), 0)}), 1 + 3 + 4, exact);
  // Above 64 KiB the host waits for the whole copy: 2 + 400, and 2 until it continues.
  EXPECT_NEAR(milliseconds({copy_of(cpu(), gpu(0), 100'000, true)}), 1 + 402 + 2, exact);
}

TEST(CostModel, AThousandReadsAgainstOne) {
  std::vector<LedgerEntry> each;
  std::vector<LedgerEntry> once;
  for (int i = 0; i < 1000; ++i) {
    each.push_back(launch_of(gpu(0), 8));
    each.push_back(copy_of(gpu(0), cpu(), 4, true));
    each.push_back(wait_for(gpu(0)));
    once.push_back(launch_of(gpu(0), 8));
  }
  once.push_back(copy_of(gpu(0), cpu(), 4000, true));
  once.push_back(wait_for(gpu(0)));
  // The launch is issued by 1 and done by 5; the copy of 3.016 is done by 8.016; 2 later the host continues.
  EXPECT_NEAR(milliseconds(each), 1000 * 10.016, 1e-6);
  // The card is never idle: 4000 after the first was issued, then a copy of 3 + 16, then 2.
  EXPECT_NEAR(milliseconds(once), 1 + 4000 + 19 + 2, 1e-6);
}

TEST(CostModel, TwoQueuesOverlap) {
  const auto first = launch_of(gpu(0), 8'000'000);
  const auto second = launch_of(gpu(1), 8'000'000);
  // Issued by 1 and 2, done by 9 and 10; the host continues at 11 and at 13.
  EXPECT_NEAR(milliseconds({first, second, wait_for(gpu(0)), wait_for(gpu(1))}), 13, exact);
  // On one card the second is done by 17.
  EXPECT_NEAR(milliseconds({first, first, wait_for(gpu(0))}), 19, exact);
}

TEST(CostModel, OneQueueWaitsForAnother) {
  const auto first = launch_of(gpu(0), 8'000'000);
  const auto second = launch_of(gpu(1), 0);
  const auto record = of_event(Kind::event_record, gpu(0), 7);
  const auto wait = of_event(Kind::event_wait, gpu(1), 7);
  // The first is done by 9, and lets the second begin, which takes 4.
  const auto modelled = replay({first, record, wait, second}, round_card());
  EXPECT_NEAR(modelled.seconds * 1e3, 13, exact);
  EXPECT_EQ(modelled.timeline[2].began, 2'000'000) << "after 1 + 0.5 + 0.5";
  EXPECT_EQ(modelled.timeline[2].ended, 9'000'000);
  EXPECT_EQ(modelled.timeline[3].issued, 2'000'000) << "the host does not wait";
  EXPECT_EQ(modelled.timeline[3].began, 9'000'000);
  // If it is recorded before the first launch is issued, the event is done at once.
  EXPECT_NEAR(milliseconds({record, first, wait, second}), 0.5 + 1 + 8, exact);
  EXPECT_EQ(replay({record, first, wait, second}, round_card()).timeline[2].began, -1) << "the wait takes no time";
  // A queue that is busy for longer continues when its own work is done.
  const auto longer = launch_of(gpu(1), 20'000'000);
  EXPECT_NEAR(milliseconds({longer, first, record, wait, second}), 1 + 20 + 4, exact);
  // An event that was recorded before the ledger was opened is done.
  EXPECT_NEAR(milliseconds({wait, second}), 0.5 + 1 + 4, exact);
  // Without an event, the wait is for all work of the other queue so far.
  auto for_all = entry_of(Kind::event_wait, gpu(1));
  for_all.source = gpu(0);
  EXPECT_NEAR(milliseconds({first, for_all, second}), 13, exact);
}

TEST(CostModel, TheHostWaitsOnlyForTheEvent) {
  const auto work = launch_of(gpu(0), 8'000'000);
  const auto record = of_event(Kind::event_record, gpu(0), 7);
  const auto synchronise = of_event(Kind::synchronisation, gpu(0), 7);
  const auto modelled = replay({work, record, work, synchronise}, round_card());
  EXPECT_EQ(modelled.timeline[3].ended, 11'000'000) << "the first work is done by 9";
  EXPECT_NEAR(modelled.seconds * 1e3, 17, exact) << "the second launch is not awaited, but counts";
}

TEST(CostModel, TheHostComputes) {
  EXPECT_NEAR(milliseconds({launch_of(cpu(), 100'000, 300'000)}), 0.5 + 3, exact);
  EXPECT_NEAR(milliseconds({copy_of(cpu(), cpu(), 50'000)}), 0.5 + 1, exact);
  // Its work and a card's overlap: 0 to 9 there, 1 to 6.5 here.
  EXPECT_NEAR(milliseconds({launch_of(gpu(0), 8'000'000), launch_of(cpu(), 500'000)}), 9, exact);
  EXPECT_NEAR(milliseconds({entry_of(Kind::allocation, gpu(0)), entry_of(Kind::release, gpu(0))}), 1, exact);
  EXPECT_NEAR(milliseconds({entry_of(Kind::allocation, cpu()), entry_of(Kind::release, cpu())}), 0, exact);
}

TEST(CostModel, AWaitStopsOneThreadOnly) {
  auto other = launch_of(gpu(1), 0);
  other.thread = 1;
  const auto modelled = replay({launch_of(gpu(0), 8'000'000), wait_for(gpu(0)), other}, round_card());
  EXPECT_EQ(modelled.timeline[2].issued, 1'000'000);
  EXPECT_NEAR(modelled.seconds * 1e3, 11, exact);
}

TEST(CostModel, TheReachedShareScalesEveryRate) {
  auto card = round_card();
  card.reached = 0.5;
  EXPECT_NEAR(seconds_on(card, {launch_of(gpu(0), 8'000'000)}) * 1e3, 1 + 16, exact);
  EXPECT_NEAR(seconds_on(card, {copy_of(cpu(), gpu(0), 1000)}) * 1e3, 1 + 2 + 2, exact);
  EXPECT_NEAR(seconds_on(card, {launch_of(cpu(), 100'000)}) * 1e3, 0.5 + 2, exact);
}

TEST(CostModel, RefusesInvalidNumbers) {
  const auto expect_refused = [](const Card& card, const std::vector<LedgerEntry>& entries, const std::string& why) {
    expect_error<ValueError>([&] { return seconds_on(card, entries); }, why);
  };
  auto card = round_card();
  const auto launch = launch_of(gpu(0), 8);
  expect_refused(card, {launch_of(gpu(0), -8)}, "[replay] entry 0 (\"by hand\" on cuda:0) has -8 bytes");
  expect_refused(card, {launch, launch_of(gpu(0), 8, -1)},
                 "entry 1 (\"by hand\" on cuda:0) has -1 floating-point operations");
  auto product = product_of(gpu(0), 8);
  product.outputs = -64;
  expect_refused(card, {product}, "-64 outputs");
  card.peer.bandwidth = 0;
  expect_refused(card, {}, "the card \"round card\" has peer.bandwidth = 0, but it must be more than 0");
  card = round_card();
  card.launch_latency = std::numeric_limits<double>::quiet_NaN();
  expect_refused(card, {}, "launch_latency = nan");
  card = round_card();
  card.reached = 1.5;
  expect_refused(card, {}, "at most 1");
  expect_error<ValueError>([&] { return crossover(card); }, "at most 1");
  expect_refused(Card{}, {}, "must be more than 0");
  EXPECT_GT(milliseconds({launch_of(gpu(0), std::numeric_limits<std::int64_t>::max())}), 9e12);
}

}  // namespace
}  // namespace d2l
