// SPDX-License-Identifier: MIT
// The cards of the cost model: the table, the labels, and the size from which a card is faster than its host.
#include "cost_model/cost_model_sequences.h"
#include "expect_error.h"

namespace d2l {
namespace {

using namespace testing;

TEST(CostModelCards, AreThoseOfTheCourse) {
  std::vector<std::string> names;
  for (const auto& card : cards()) names.push_back(card.name);
  EXPECT_EQ(names, (std::vector<std::string>{"T4", "V100", "RTX 4060 Laptop", "A100", "H200"}));
  EXPECT_EQ(card_named("A100").processor.memory_bandwidth, 1555e9);
  expect_error<ValueError>([] { return card_named("K80"); },
                           "[card_named] there is no card \"K80\". Use one of \"T4\", \"V100\", \"RTX 4060 "
                           "Laptop\", \"A100\", \"H200\"");
}

TEST(CostModelCards, AlwaysSayThatTheTimeIsModelled) {
  const std::vector<LedgerEntry> work{product_of(gpu(0), 4096)};
  EXPECT_EQ(repr(replay(work, card_named("T4"))), "21.2 ms, modelled on a T4 (320 GB/s, 8.14 TFLOP/s float32)");
  EXPECT_EQ(replay(work, card_named("RTX 4060 Laptop")).label(),
            "modelled on an RTX 4060 Laptop (256 GB/s, 11.6 TFLOP/s float32)");
  EXPECT_EQ(replay(work, card_named("H200")).label(), "modelled on an H200 (4.8 TB/s, 67 TFLOP/s float32)");
  EXPECT_EQ(replay(work, card_named("A100")).label(), "modelled on an A100 (1.555 TB/s, 19.5 TFLOP/s float32)");
  auto mine = round_card();
  EXPECT_EQ(repr(replay(nothing, mine)), "0 s, modelled on a round card (1 GB/s, 1 GFLOP/s float32)");
  mine.name = "imagined card";
  EXPECT_EQ(replay(nothing, mine).label(), "modelled on an imagined card (1 GB/s, 1 GFLOP/s float32)");
}

TEST(CostModelCards, NoneIsFasterThanItsPeak) {
  for (const auto& card : cards()) {
    for (std::int64_t n = 1; n <= 1 << 15; n *= 2) {
      const auto operations = 2.0 * static_cast<double>(n * n * n);
      EXPECT_LE(operations / product_seconds(card, gpu(0), n), card.processor.float32) << card.name << ", n = " << n;
      EXPECT_LE(operations / product_seconds(card, gpu(0), n, kDouble), card.processor.float64) << card.name;
      EXPECT_LE(operations / product_seconds(card, cpu(), n), card.host.processor.float32) << card.name;
    }
    // A large product reaches four fifths of the peak; a small product takes only the overhead.
    EXPECT_NEAR(2 * 8192.0 * 8192 * 8192 / product_seconds(card, gpu(0), 8192) / card.processor.float32, 0.8, 0.02);
    EXPECT_EQ(product_seconds(card, gpu(0), 2), card.host.issue + card.launch_latency + card.host.wait);
  }
}

TEST(CostModelCards, AProductHasASize) {
  const auto card = card_named("V100");
  expect_error<ValueError>([&] { return product_seconds(card, gpu(0), 0); }, "n is 0");
  expect_error<ValueError>([&] { return product_seconds(card, gpu(0), 10'000'000); }, "n is 10000000");
}

/// The crossover, or a larger number if the card is never faster.
std::int64_t crossing(const Card& card) { return crossover(card).value_or(1 << 20); }

TEST(CostModelCards, TheCrossoverIsTheFirstSizeAtWhichTheCardIsFaster) {
  for (const auto& card : cards()) {
    const auto n = crossing(card);
    ASSERT_LE(n, 1000) << card.name;
    EXPECT_LT(product_seconds(card, gpu(0), n), product_seconds(card, cpu(), n)) << card.name;
    EXPECT_GE(product_seconds(card, gpu(0), n - 1), product_seconds(card, cpu(), n - 1)) << card.name;
  }
}

TEST(CostModelCards, TheCrossoverMovesInTheRightDirection) {
  for (const auto& card : cards()) {
    SCOPED_TRACE(card.name);
    const auto here = crossing(card);
    const auto with = [&](auto change) {
      Card changed = card;
      change(changed);
      return crossing(changed);
    };
    EXPECT_GT(with([](Card& c) { c.launch_latency *= 20; }), here);
    EXPECT_GT(with([](Card& c) { c.host.wait *= 20; }), here);
    EXPECT_GT(with([](Card& c) { c.host.issue *= 20; }), here);
    EXPECT_LT(with([](Card& c) { c.host.issue = c.host.wait = c.launch_latency = 0; }), here);
    EXPECT_GT(with([](Card& c) { c.processor.float32 /= 50; }), here);
    EXPECT_LE(with([](Card& c) { c.processor.float32 *= 50; }), here);
    EXPECT_GT(with([](Card& c) { c.processor.memory_bandwidth /= 1000; }), here);
    EXPECT_LE(with([](Card& c) { c.processor.memory_bandwidth *= 1000; }), here);
    EXPECT_GT(with([](Card& c) { c.host.processor.float32 *= 4; }), here);
    EXPECT_LT(with([](Card& c) { c.host.processor.float32 /= 4; }), here);
    EXPECT_LT(with([](Card& c) { c.host.processor.memory_bandwidth /= 1000; }), here);
  }
}

TEST(CostModelCards, MayHaveNoCrossover) {
  Card slow = round_card();
  slow.host.processor = slow.processor;
  slow.host.call = 0;
  EXPECT_EQ(crossover(slow), std::nullopt);
}

}  // namespace
}  // namespace d2l
