// SPDX-License-Identifier: MIT
// The costs of operations in the ledger, beside those of tensor/copy_test.cpp: prints, events, reads of the ledger
// itself.
#include "d2l/transfers.h"

#include <sstream>
#include <vector>

#include "d2l/testing.h"
#include "every_device.h"
#include "library.h"
#include "messages.h"

namespace d2l {
namespace {

using Kind = LedgerEntry::Kind;

std::vector<LedgerEntry> of_kind(const TransferLedger& ledger, Kind kind) {
  std::vector<LedgerEntry> found;
  for (auto& entry : ledger.entries()) {
    if (entry.kind == kind) found.push_back(std::move(entry));
  }
  return found;
}

TEST(Transfers, ACopyBetweenThemHasBothDevicesAndItsTimes) {
  if (num_gpus() < 2 || !testing::have_peer_access()) GTEST_SKIP() << "needs two GPUs with peer access";
  const auto x = ones({2, 3}, gpu(0));
  const TransferLedger ledger;
  const auto z = x.cuda(1);
  EXPECT_EQ(ledger.allocations(), 1);
  EXPECT_EQ(ledger.allocated_bytes(), 24);
  EXPECT_TRUE(ledger.summary().starts_with("1 copy, device to device: 24 bytes\n"));
  const auto copy = of_kind(ledger, Kind::copy).at(0);
  EXPECT_EQ(copy.source, gpu(0));
  EXPECT_EQ(copy.destination, gpu(1));
  EXPECT_FALSE(copy.staged);
  EXPECT_GE(copy.ended, copy.began);
}

TEST(Transfers, ReadingOrPrintingIsOneImplicitCopyAndOneSynchronisation) {
  for (const auto device : gpus(num_gpus())) {
    const auto x = ones({2, 3}, device);
    const auto total = x.sum();
    const auto expect_one_copy = [](int bytes, int launches, const auto& read) {
      const TransferLedger ledger;
      (void)read();
      const auto expected = "1 implicit copy, device to host: " + std::to_string(bytes) + " bytes\n1 synchronisation";
      EXPECT_TRUE(ledger.summary().starts_with(expected)) << ledger.summary();
      EXPECT_EQ(ledger.copies(), 1);
      EXPECT_EQ(ledger.launches(), launches);
      EXPECT_EQ(ledger.synchronisations(), 1);
    };
    expect_one_copy(4, 0, [&] { return total.item<float>(); });
    expect_one_copy(24, 0, [&] { return repr(x); });
    expect_one_copy(24, 1, [&] { return repr(x.t()); });  // copied to contiguous memory first
    expect_one_copy(24, 0, [&] { return (std::ostringstream() << x).str(); });
  }
}

TEST(Transfers, EventsAreNotSynchronisations) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  const TransferLedger ledger;
  Event event;
  event.record(gpu(0));
  event.block(gpu(1));
  EXPECT_EQ(ledger.synchronisations(), 0) << ledger.summary();
  const auto records = of_kind(ledger, Kind::event_record);
  const auto waits = of_kind(ledger, Kind::event_wait);
  ASSERT_EQ(records.size(), 1u);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(records[0].event, waits[0].event);
  EXPECT_EQ(records[0].queue, gpu(0));
  EXPECT_EQ(waits[0].queue, gpu(1));
  event.synchronize();
  EXPECT_EQ(ledger.synchronisations(), 1) << ledger.summary();
}

TEST(Transfers, ReadingEntriesAddsNone) {
  if (num_gpus() == 0) GTEST_SKIP() << "needs a GPU";
  const TransferLedger outer;
  const auto x = ones({2, 3}, gpu(0)) + 1;
  const auto before = outer.entries().size();
  (void)outer.chrome_trace();
  (void)outer.summary();
  EXPECT_EQ(outer.entries().size(), before);
  EXPECT_EQ(outer.synchronisations(), 0);
}

TEST(Transfers, ASummaryNeedsNoWait) {
  if (num_gpus() == 0) GTEST_SKIP() << "needs a GPU";
  const TransferLedger ledger;
  testing::HeldQueue held(gpu(0));
  const auto x = ones({2, 3}, gpu(0));
  EXPECT_TRUE(tests::contains(ledger.summary(), "1 launch: 24 bytes"));
  const auto launches = of_kind(ledger, Kind::launch);  // it cannot wait here, so times are unknown
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].ended, -1);
  held.release();
  EXPECT_GE(of_kind(ledger, Kind::launch).at(0).ended, 0);
}

}  // namespace
}  // namespace d2l
