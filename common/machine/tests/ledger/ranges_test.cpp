// SPDX-License-Identifier: MIT
// Named ranges: how they nest, and where they appear.
#include "ledger/ranges.h"

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "d2l/error.h"
#include "d2l/nvtx.h"
#include "gtest/gtest.h"
#include "ledger/ledger.h"

namespace d2l {
namespace {

using Kind = LedgerEntry::Kind;
namespace nvtx = cuda::nvtx;

void launch(const char* name) { detail::record({.kind = Kind::launch, .name = name, .queue = gpu(0)}); }

TEST(Ranges, AreInEachEntry) {
  const TransferLedger ledger;
  launch("before");
  {
    const nvtx::range step("step");
    launch("a");
    {
      const nvtx::range forward("forward");
      launch("b");
    }
    launch("c");
  }
  launch("after");
  std::vector<std::string> found;
  for (const auto& entry : ledger.entries()) found.push_back(entry.name + ":" + entry.range);
  EXPECT_EQ(found, (std::vector<std::string>{"before:", "step:step", "a:step", "forward:step/forward", "b:step/forward",
                                             "forward:step/forward", "c:step", "step:step", "after:"}));
  EXPECT_EQ(ledger.launches(), 5);
  EXPECT_EQ(ledger.summary(), "5 launches: 0 bytes") << "ranges are not work";
}

TEST(Ranges, MayBeOpenedAndClosedByHand) {
  EXPECT_EQ(nvtx::range_push("outer"), 0);
  EXPECT_EQ(nvtx::range_push("inner"), 1);
  EXPECT_EQ(nvtx::range_pop(), 1);
  EXPECT_EQ(nvtx::range_pop(), 0);
  EXPECT_THROW(nvtx::range_pop(), Error);
}

TEST(Ranges, ThatWereClosedByHandAreNotClosedAgain) {
  {
    const nvtx::range outer("outer");
    nvtx::range_pop();
  }
  EXPECT_EQ(detail::range_of_thread(), "");
}

TEST(Ranges, BelongToTheirThread) {
  const TransferLedger ledger;
  const nvtx::range mine("mine");
  std::thread([] {
    launch("outside");
    const nvtx::range yours("yours");
    launch("inside");
  }).join();
  const auto entries = ledger.entries();
  EXPECT_EQ(entries[1].range, "");
  EXPECT_EQ(entries[3].range, "yours");
}

TEST(Ranges, AreOpenBeforeALedgerIs) {
  const nvtx::range early("early");
  const TransferLedger ledger;
  launch("a");
  EXPECT_EQ(ledger.entries()[0].range, "early");
}

TEST(Ranges, BeginAndEndInTheTrace) {
  const TransferLedger ledger;
  {
    const nvtx::range step("step");
    launch("a");
  }
  const auto events = nlohmann::json::parse(ledger.chrome_trace()).at("traceEvents");
  std::string phases;
  for (const auto& event : events) {
    if (event.at("name") == "step") phases += event.at("ph").get<std::string>();
    if (event.at("name") == "a") {
      EXPECT_EQ(event.at("args").at("range"), "step");
    }
  }
  EXPECT_EQ(phases, "BE");
}

}  // namespace
}  // namespace d2l
