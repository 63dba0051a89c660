// SPDX-License-Identifier: MIT
// Timelines as pictures, texts and traces: always labelled, well-formed and small.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "cost_model/cost_model_sequences.h"
#include "messages.h"
#include "well_formed.h"

namespace d2l {
namespace {

using namespace testing;
using tests::contains;

std::vector<LedgerEntry> two_queues() {
  return {launch_of(gpu(0), 8'000'000),
          of_event(Kind::event_record, gpu(0), 1),
          of_event(Kind::event_wait, gpu(1), 1),
          launch_of(gpu(1), 8'000'000),
          copy_of(gpu(1), cpu(), 1000),
          wait_for(gpu(1)),
          launch_of(cpu(), 100'000)};
}

TEST(Timeline, IsLabelledAndDescribed) {
  const auto modelled = replay(two_queues(), round_card());
  const auto svg = modelled.svg();
  expect_well_formed(svg);
  EXPECT_EQ(count_of(svg, modelled.label()), 3u) << "in the title, in the description, and in the picture";
  EXPECT_TRUE(contains(svg, "<title>Timeline, modelled on a round card"));
  EXPECT_TRUE(contains(svg, "<desc>" + modelled.description() + "</desc>"));
  EXPECT_EQ(
      modelled.description(),
      "25.5 ms in all (modelled on a round card (1 GB/s, 1 GFLOP/s float32)). host thread 0: 1 launch, 1.50 ms; 1 "
      "wait, 20.0 ms; 3 issued. cuda:0: 1 launch, 8.00 ms. cuda:1: 1 launch, 8.00 ms; 1 copy, 5.00 ms; 1 wait, "
      "7.00 ms.");
  for (const auto* row : {">host thread 0<", ">cuda:0<", ">cuda:1<"}) EXPECT_EQ(count_of(svg, row), 1u);
  EXPECT_TRUE(contains(svg, "time in ms"));
  for (const auto* part : {">launch<", ">copy<", ">wait<", ">issued<", "currentColor"})
    EXPECT_TRUE(contains(svg, part));
  for (const auto* part : {" id=", "<style", "<script", "href"}) EXPECT_FALSE(contains(svg, part)) << part;
}

TEST(Timeline, PlacesWorkAtItsTime) {
  // From 1 to 9 of 9 ms: a ninth of the plot is empty, and the box reaches its end.
  const auto svg = replay({launch_of(gpu(0), 8'000'000)}, round_card()).svg();
  EXPECT_TRUE(contains(svg, "M176.9 ")) << "112 + 584 / 9: " << svg;
  EXPECT_TRUE(contains(svg, "h519.1")) << "584 × 8 / 9";
}

TEST(Timeline, BeginsWithTheFirstShape) {
  auto entry = launch_of(cpu(), 8);
  entry.began = 5'000'000'000;
  entry.ended = 5'008'000'000;
  EXPECT_EQ(timeline_description({entry_of(Kind::allocation, cpu()), entry}),
            "8.00 ms in all (measured). host thread 0: 1 launch, 8.00 ms.");
}

TEST(Timeline, StaysSmall) {
  std::vector<LedgerEntry> many;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    many.push_back(launch_of(gpu(static_cast<int>(i % 2)), i % 1000 * 10'000));
    many.push_back(copy_of(gpu(static_cast<int>(i % 2)), cpu(), 4, true));
    many.push_back(wait_for(gpu(static_cast<int>(i % 2))));
  }
  const auto svg = replay(many, round_card()).svg();
  expect_well_formed(svg);
  EXPECT_LT(svg.size(), 200'000u);
  EXPECT_TRUE(contains(svg, "50000 launches"));
}

TEST(Timeline, DrawsHalfIdleTimeHalfAsHigh) {
  // A thousand launches of 4 ms, one every 8 ms.
  auto card = round_card();
  card.host.wait = 3e-3;
  std::vector<LedgerEntry> entries;
  for (int i = 0; i < 1000; ++i) {
    entries.push_back(launch_of(gpu(0), 0));
    entries.push_back(wait_for(gpu(0)));
  }
  const auto svg = replay(entries, card).svg();
  EXPECT_TRUE(contains(svg, "v-11h")) << "of 22";
  EXPECT_TRUE(contains(svg, "height: share of the time"));
  EXPECT_FALSE(contains(replay(two_queues(), card).svg(), "height: share of the time"));
}

TEST(Timeline, HasSixteenRowsAtMost) {
  std::vector<LedgerEntry> entries;
  for (int i = 0; i < 40; ++i) entries.push_back(launch_of(gpu(i), 8));
  const auto svg = replay(entries, round_card()).svg();
  expect_well_formed(svg);
  EXPECT_EQ(count_of(svg, "text-anchor=\"end\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">"),
            16u);
  EXPECT_TRUE(contains(svg, "25 more rows are not drawn"));
}

TEST(Timeline, WithoutEntriesIsAPicture) {
  for (const auto& svg :
       {replay(nothing, round_card()).svg(), timeline_svg({}), timeline_svg({launch_of(gpu(0), 8)})}) {
    expect_well_formed(svg);
  }
  EXPECT_EQ(timeline_description({}), "Nothing that took time (measured).");
}

TEST(Timeline, IsValidWithAnyName) {
  auto card = round_card();
  card.name = "<card> & \"co\"\x01";
  const auto modelled = replay(two_queues(), card);
  expect_well_formed(modelled.svg());
  EXPECT_TRUE(contains(modelled.svg(), "&lt;card&gt; &amp; &quot;co&quot;?"));
  EXPECT_TRUE(nlohmann::json::accept(modelled.chrome_trace()));
}

TEST(Timeline, IsValidWithAnyTime) {
  auto entry = launch_of(gpu(0), 8);
  entry.issued = 0;
  entry.began = 0;
  entry.ended = std::numeric_limits<std::int64_t>::max();
  expect_well_formed(timeline_svg({entry}));
  entry.began = entry.ended;
  expect_well_formed(timeline_svg({entry}));
  entry.ended = entry.began - 1;
  expect_well_formed(timeline_svg({entry}));
}

TEST(Timeline, IsATraceWithLabelledRows) {
  const auto modelled = replay(two_queues(), round_card());
  const auto events = nlohmann::json::parse(modelled.chrome_trace()).at("traceEvents");
  int rows = 0;
  int timed = 0;
  int arrows = 0;
  for (const auto& event : events) {
    if (event.at("ph") == "M" && event.at("name") != "thread_sort_index") {
      ++rows;
      EXPECT_TRUE(contains(event.at("args").at("name"), modelled.label())) << event.dump();
    }
    timed += event.at("ph") == "X" ? 1 : 0;
    arrows += event.at("ph") == "s" ? 1 : 0;
  }
  EXPECT_EQ(rows, 4) << "the process, the host thread and two GPUs";
  EXPECT_EQ(timed, 6) << "three launches, a copy and two waits";
  EXPECT_EQ(arrows, 1) << "from the awaited work to the waiting work";
}

}  // namespace
}  // namespace d2l
