// SPDX-License-Identifier: MIT
// The roofline: bytes and operations of ledgers, balances, lower bounds, and its picture.
#include "d2l/roofline.h"

#include <cmath>
#include <limits>
#include <memory>
#include <regex>

#include "cost_model/cost_model_sequences.h"
#include "d2l/factories.h"
#include "d2l/kernel_report.h"
#include "d2l/ops.h"
#include "every_device.h"
#include "messages.h"
#include "well_formed.h"

namespace d2l {
namespace {

using namespace testing;
using tests::contains;
using tests::message_of;

Card broken_card() {
  auto card = round_card();
  card.processor.memory_bandwidth = 0;
  return card;
}

TEST(Roofline, WorkAddsTheLaunchesAndNothingElse) {
  const Work work = work_of({launch_of(gpu(0), 100, 30), copy_of(cpu(), gpu(0), 1000), wait_for(gpu(0)),
                             entry_of(Kind::allocation, gpu(0)), launch_of(cpu(), 20, 10)},
                            "two launches");
  EXPECT_EQ(work.name, "two launches");
  EXPECT_EQ(work.bytes, 120);
  EXPECT_EQ(work.operations, 40);
  EXPECT_EQ(work.intensity(), 40.0 / 120);
}

TEST(Roofline, CountedKernelsMoveWholeSectors) {
  auto run = std::make_shared<KernelRun>();
  run->counts.load_sectors = 3;
  run->counts.store_sectors = 2;
  auto counted = launch_of(gpu(0), 4);
  counted.kernel = run;
  auto uncounted = launch_of(gpu(0), 4);
  uncounted.kernel = std::make_shared<KernelRun>();
  EXPECT_EQ(work_of({counted, uncounted}, "kernels").bytes, 5 * 32 + 4);
}

TEST(Roofline, WorkOfALedgerOfRealOperations) {
  for (const Device device : every_device()) {
    const Tensor a = ones({7, 5}, device);
    const Tensor b = ones({5, 3}, device);
    const TransferLedger ledger;
    const Tensor sum = a + a;
    EXPECT_EQ(work_of(ledger, "sum").bytes, ledger.launched_bytes());
    EXPECT_EQ(work_of(ledger, "sum").operations, 35);
    static_cast<void>(matmul(a, b));
    EXPECT_EQ(work_of(ledger, "sum and product").operations, 35 + 2 * 7 * 5 * 3);
  }
}

TEST(Roofline, RefusesEntriesAndWorksWithInvalidNumbers) {
  EXPECT_TRUE(contains(message_of<ValueError>([] { static_cast<void>(work_of({launch_of(gpu(0), -1)}, "w")); }),
                       "[work_of] entry 0 "));
  const double infinite = std::numeric_limits<double>::infinity();
  for (const Work& work : {Work{"w", 0, 1}, Work{"w", -1, 1}, Work{"w", NAN, 1}, Work{"w", infinite, 1},
                           Work{"w", 1, -1}, Work{"w", 1, NAN}, work_of(nothing, "w")}) {
    EXPECT_TRUE(contains(message_of<ValueError>([&] { static_cast<void>(work.intensity()); }), "the work \"w\""));
    EXPECT_THROW(static_cast<void>(min_seconds(round_card(), work)), ValueError);
    EXPECT_THROW(static_cast<void>(roofline_svg({round_card()}, {work})), ValueError);
    EXPECT_THROW(static_cast<void>(roofline_description({round_card()}, {work})), ValueError);
  }
}

TEST(Roofline, BalanceIsThePeakDividedByTheBandwidth) {
  EXPECT_EQ(balance(round_card()), 1);
  EXPECT_EQ(balance(round_card(), kDouble), 0.5);
  EXPECT_NEAR(balance(card_named("T4")), 25.4, 0.05);
  EXPECT_NEAR(balance(card_named("A100")), 12.5, 0.05);
  EXPECT_EQ(balance(card_named("H200"), kLong), balance(card_named("H200")));
  EXPECT_NEAR(balance(card_named("A100"), kHalf), 200.6, 0.05);
  EXPECT_EQ(balance(card_named("A100"), kBFloat16), balance(card_named("A100"), kHalf));
  EXPECT_EQ(balance(round_card(), kHalf), balance(round_card())) << "without tensor cores";
}

TEST(Roofline, AttainableRisesToTheBalanceAndIsFlatBehindIt) {
  const auto card = round_card();
  EXPECT_EQ(attainable(card, 0), 0);
  EXPECT_EQ(attainable(card, 0.25), 0.25e9);
  EXPECT_EQ(attainable(card, balance(card)), 1e9);
  EXPECT_EQ(attainable(card, 100), 1e9);
  EXPECT_EQ(attainable(card, 0.25, kDouble), 0.25e9);
  EXPECT_EQ(attainable(card, 100, kDouble), 0.5e9);
}

TEST(Roofline, TheLeastTimeIsTheLongerOfTwo) {
  const auto card = round_card();
  EXPECT_DOUBLE_EQ(min_seconds(card, {"copy", 1e9, 0}), 1);
  EXPECT_DOUBLE_EQ(min_seconds(card, {"memory", 1e9, 0.5e9}), 1);
  EXPECT_DOUBLE_EQ(min_seconds(card, {"arithmetic", 1e9, 3e9}), 3);
  EXPECT_DOUBLE_EQ(min_seconds(card, {"arithmetic", 1e9, 3e9}, kDouble), 6);
  for (const Card& known : cards()) {
    const Work work{"any", 1e9, 1e10};
    EXPECT_NEAR(min_seconds(known, work) * attainable(known, work.intensity()), work.operations, 1);
    // A replay is never faster: it multiplies the rates by `reached`.
    EXPECT_LT(min_seconds(known, work), seconds_on(known, {launch_of(gpu(0), 1'000'000'000, 10'000'000'000)}));
  }
}

TEST(Roofline, RefusesInvalidCardsAndIntensities) {
  const Work work{"w", 1, 1};
  EXPECT_TRUE(contains(message_of<ValueError>([] { static_cast<void>(balance(broken_card())); }),
                       "[balance] the card \"round card\" has processor.memory_bandwidth = 0"));
  EXPECT_TRUE(
      contains(message_of<ValueError>([] { static_cast<void>(attainable(broken_card(), 1)); }), "[attainable]"));
  EXPECT_TRUE(
      contains(message_of<ValueError>([&] { static_cast<void>(min_seconds(broken_card(), work)); }), "[min_seconds]"));
  EXPECT_THROW(static_cast<void>(roofline_svg({round_card(), broken_card()}, {work})), ValueError);
  for (const double intensity : {-1.0, double{NAN}, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(static_cast<void>(attainable(round_card(), intensity)), ValueError);
  }
}

const std::vector<Work> three_works{{"slow & small", 100, 10}, {"on the ridge", 10, 10}, {"fast", 10, 1000}};

TEST(RooflinePicture, IsLabelledAndDescribed) {
  const auto description = roofline_description({round_card()}, three_works);
  EXPECT_EQ(
      description,
      "Operations per second by operations per byte (modelled: the published float32 rates). round card: 1 GB/s, "
      "1 GFLOP/s, balance 1. 1 slow & small: 0.1 operations per byte; bound by memory on round card. 2 on the "
      "ridge: 1 operations per byte; bound by arithmetic on round card. 3 fast: 100 operations per byte; bound by "
      "arithmetic on round card.");
  const auto svg = roofline_svg({round_card()}, three_works);
  expect_well_formed(svg);
  EXPECT_TRUE(contains(svg, "<title>Roofline, modelled: the published float32 rates</title>"));
  EXPECT_EQ(count_of(svg, "modelled"), 3u) << "in the title, in the description, and in the picture";
  EXPECT_TRUE(contains(svg, "slow &amp; small"));
  for (const auto* part : {">round card<", ">operations per byte<", "bound by memory", "currentColor"}) {
    EXPECT_TRUE(contains(svg, part)) << part;
  }
  for (const auto* part : {" id=", "<style", "<script", "href"}) EXPECT_FALSE(contains(svg, part)) << part;
}

TEST(RooflinePicture, FillsTheMarksOfMemory) {
  const auto svg = roofline_svg({round_card()}, three_works);
  EXPECT_EQ(count_of(svg, "<circle"), 3u + 2u) << "one for each work, two in the legend";
  EXPECT_EQ(count_of(svg, "r=\"4\" fill=\"currentColor\""), 1u + 1u);
  EXPECT_EQ(count_of(svg, "r=\"4\" fill=\"none\""), 2u + 1u);
  EXPECT_EQ(count_of(roofline_svg(cards(), three_works), "<circle"), 5u * 3u + 2u);
}

/// The position and the text of each label.
struct Label {
  double x;
  double y;
  std::string text;
};

std::vector<Label> labels_of(const std::string& svg) {
  static const std::regex pattern("<text x=\"([-0-9.e+]+)\" y=\"([-0-9.e+]+)\"[^>]*>([^<]*)<");
  std::vector<Label> labels;
  for (std::sregex_iterator i(svg.begin(), svg.end(), pattern), end; i != end; ++i) {
    labels.push_back({std::stod((*i)[1]), std::stod((*i)[2]), (*i)[3]});
  }
  return labels;
}

TEST(RooflinePicture, LabelsDoNotOverlap) {
  std::vector<Card> many;
  for (int i = 0; i < 16; ++i) {
    many.push_back(cards()[static_cast<std::size_t>(i % 5)]);
    many.back().name = "card " + std::to_string(i);
  }
  std::vector<Work> works;
  for (int i = 0; i < 24; ++i) works.push_back({"w", 12, i < 12 ? 1.0 : 100.0});
  for (const auto& svg : {roofline_svg(cards(), three_works), roofline_svg(many, works)}) {
    const auto labels = labels_of(svg);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto& [xi, yi, text_i] = labels[i];
        const auto& [xj, yj, text_j] = labels[j];
        EXPECT_TRUE(std::abs(yi - yj) > 11.9 || std::abs(xi - xj) > 15.9) << text_i << " and " << text_j;
      }
    }
    EXPECT_TRUE(std::all_of(labels.begin(), labels.end(), [](const Label& label) {
      return label.x >= 0 && label.x < 600 && label.y > 0 && label.y < 900;
    }));
  }
}

TEST(RooflinePicture, TakesExtremeNumbers) {
  auto card = round_card();
  card.processor.float32 = 1e60;
  const auto svg = roofline_svg({card, round_card()}, {{"tiny", 1e40, 1e-40}, {"huge", 1, 1e90}});
  expect_well_formed(svg);
  EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf"));
  EXPECT_LT(svg.size(), 20'000u);
  card.processor.float32 = 1e200;
  EXPECT_THROW(static_cast<void>(roofline_svg({card}, {})), ValueError);
  EXPECT_THROW(static_cast<void>(roofline_svg({round_card()}, {{"huge", 1, 1e200}})), ValueError);
}

TEST(RooflinePicture, RefusesWhatItCannotDraw) {
  const std::vector<Work> too_many(25, Work{"w", 1, 1});
  EXPECT_TRUE(contains(message_of<ValueError>([] { static_cast<void>(roofline_svg({}, {})); }),
                       "[roofline_svg] there are 0 cards"));
  EXPECT_THROW(static_cast<void>(roofline_svg(std::vector<Card>(17, round_card()), {})), ValueError);
  EXPECT_THROW(static_cast<void>(roofline_svg(cards(), too_many)), ValueError);
  EXPECT_TRUE(contains(message_of<ValueError>([] {
                         static_cast<void>(roofline_description(cards(), {{"copy", 1, 0}}));
                       }),
                       "[roofline_description] the work \"copy\" has 0 operations per byte"));
  expect_well_formed(roofline_svg(cards(), {}));
}

}  // namespace
}  // namespace d2l
