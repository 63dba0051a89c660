// SPDX-License-Identifier: MIT
// TransferLedger: its counts, nested ledgers, and the text of its summary.
#include "ledger/ledger.h"

#include <atomic>
#include <barrier>
#include <string>
#include <thread>
#include <vector>

#include "backend/resident_memory.h"
#include "gtest/gtest.h"

namespace d2l {
namespace {

using Kind = LedgerEntry::Kind;

LedgerEntry copy(Device source, Device destination, std::int64_t bytes) {
  return {.kind = Kind::copy,
          .name = "to",
          .queue = source.is_cuda() ? source : destination,
          .source = source,
          .destination = destination,
          .bytes = bytes};
}

LedgerEntry of_kind(Kind kind, std::int64_t bytes = 0, std::int64_t flops = 0) {
  return {.kind = kind, .name = "test", .bytes = bytes, .flops = flops};
}

LedgerEntry implicit(LedgerEntry entry) {
  entry.implicit = true;
  return entry;
}

LedgerEntry leg(LedgerEntry entry) {
  entry.staged = true;
  entry.leg = true;
  return entry;
}

TEST(Ledger, RecordsOnlyWhileOneIsOpen) {
  EXPECT_FALSE(detail::ledger_is_open());
  EXPECT_EQ(detail::record(of_kind(Kind::launch)), nullptr);
  {
    const TransferLedger ledger;
    EXPECT_TRUE(detail::ledger_is_open());
    EXPECT_NE(detail::record(of_kind(Kind::launch)), nullptr);
    EXPECT_EQ(ledger.launches(), 1);
  }
  EXPECT_FALSE(detail::ledger_is_open());
}

TEST(Ledger, CountsCopiesByDirection) {
  const TransferLedger ledger;
  detail::record(copy(cpu(), gpu(0), 1));
  detail::record(copy(gpu(0), cpu(), 20));
  detail::record(copy(gpu(0), cpu(), 20));
  detail::record(copy(gpu(0), gpu(1), 300));
  detail::record(copy(gpu(1), gpu(1), 4000));
  detail::record(copy(cpu(), cpu(), 50000));
  detail::record(implicit(copy(gpu(0), cpu(), 600000)));
  EXPECT_EQ(ledger.copies(), 5) << "copies across devices only";
  EXPECT_EQ(ledger.copied_bytes(), 600341);
  EXPECT_EQ(ledger.implicit_copies(), 1);
  EXPECT_EQ(ledger.copies(Direction::host_to_device), 1);
  EXPECT_EQ(ledger.copies(Direction::device_to_host), 3);
  EXPECT_EQ(ledger.copies(Direction::device_to_device), 1);
  EXPECT_EQ(ledger.copies(Direction::within_device), 1);
  EXPECT_EQ(ledger.copies(Direction::within_host), 1);
  EXPECT_EQ(ledger.copied_bytes(Direction::host_to_device), 1);
  EXPECT_EQ(ledger.copied_bytes(Direction::device_to_host), 600040);
  EXPECT_EQ(ledger.copied_bytes(Direction::device_to_device), 300);
  EXPECT_EQ(ledger.copied_bytes(Direction::within_device), 4000);
  EXPECT_EQ(ledger.copied_bytes(Direction::within_host), 50000);
}

TEST(Ledger, CountsTheRest) {
  const TransferLedger ledger;
  detail::record(of_kind(Kind::launch, 72, 6));
  detail::record(of_kind(Kind::launch, 28, 6));
  detail::record(of_kind(Kind::allocation, 24));
  detail::record(of_kind(Kind::allocation, 8));
  detail::record(of_kind(Kind::release, 24));
  detail::record(of_kind(Kind::synchronisation));
  detail::record(of_kind(Kind::event_record));
  detail::record(of_kind(Kind::event_wait));
  EXPECT_EQ(ledger.launches(), 2);
  EXPECT_EQ(ledger.launched_bytes(), 100);
  EXPECT_EQ(ledger.launched_flops(), 12);
  EXPECT_EQ(ledger.allocations(), 2);
  EXPECT_EQ(ledger.allocated_bytes(), 32);
  EXPECT_EQ(ledger.releases(), 1);
  EXPECT_EQ(ledger.synchronisations(), 1) << "a wait of one queue for another is not a synchronisation";
  EXPECT_EQ(ledger.copies(), 0);
}

TEST(Ledger, ReleasesItsEntriesWhenItCloses) {
  std::weak_ptr<backend::Span> span;
  {
    const TransferLedger ledger;
    span = detail::record(of_kind(Kind::launch));
    EXPECT_FALSE(span.expired());
  }
  EXPECT_TRUE(span.expired());
}

TEST(Ledger, NestedLedgersEachCountEverything) {
  const TransferLedger outer;
  detail::record(of_kind(Kind::launch));
  {
    const TransferLedger inner;
    detail::record(of_kind(Kind::launch));
    detail::record(of_kind(Kind::launch));
    EXPECT_EQ(inner.launches(), 2);
  }
  detail::record(of_kind(Kind::launch));
  EXPECT_EQ(outer.launches(), 4);
}

TEST(Ledger, KeepsTheOrderOfIssue) {
  const TransferLedger ledger;
  for (int i = 0; i < 100; ++i) detail::record(of_kind(Kind::allocation, i));
  const auto entries = ledger.entries();
  ASSERT_EQ(entries.size(), 100u);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].bytes, static_cast<std::int64_t>(i));
    EXPECT_GE(entries[i].issued, i == 0 ? 0 : entries[i - 1].issued);
    EXPECT_EQ(entries[i].began, -1) << "nothing ran";
  }
}

TEST(Ledger, NumbersHostThreadsInOrderOfAppearance) {
  const TransferLedger ledger;
  std::thread([] { detail::record(of_kind(Kind::launch)); }).join();
  detail::record(of_kind(Kind::launch));
  std::thread([] { detail::record(of_kind(Kind::launch)); }).join();
  detail::record(of_kind(Kind::launch));
  std::vector<std::uint64_t> threads;
  for (const auto& entry : ledger.entries()) threads.push_back(entry.thread);
  EXPECT_EQ(threads, (std::vector<std::uint64_t>{0, 1, 2, 1}));
}

TEST(Ledger, SpansRecordWhenWorkRan) {
  const TransferLedger outer;
  const TransferLedger inner;
  const auto span = detail::record(of_kind(Kind::launch));
  EXPECT_EQ(inner.entries().at(0).began, -1);
  const auto now = backend::steady_nanoseconds();
  span->resolve_with([&] {
    span->began = now;
    span->ended = span->began + 1500;
  });
  for (const auto* ledger : {&outer, &inner}) {
    const auto entry = ledger->entries().at(0);
    EXPECT_GE(entry.began, entry.issued);
    EXPECT_EQ(entry.ended, entry.began + 1500);
  }
}

TEST(Ledger, AWaitOfTheHostLastsAsLongAsItsScope) {
  const TransferLedger ledger;
  { const detail::HostWait wait("synchronize", gpu(0)); }
  const auto entry = ledger.entries().at(0);
  EXPECT_EQ(entry.kind, Kind::synchronisation);
  EXPECT_EQ(entry.queue, gpu(0));
  EXPECT_GE(entry.began, 0);
  EXPECT_GE(entry.ended, entry.began);
  EXPECT_EQ(ledger.synchronisations(), 1);
}

TEST(Ledger, KeepsALimitedNumberOfEntries) {
  TransferLedger ledger;
  constexpr auto most = static_cast<std::int64_t>(detail::LedgerBook::max_entries);
  ::testing::internal::CaptureStderr();
  for (std::int64_t i = 0; i < most + 3; ++i) detail::record(of_kind(Kind::launch));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("a TransferLedger is full"), std::string::npos);
  EXPECT_EQ(ledger.launches(), most);
  EXPECT_NE(ledger.summary().find("and 3 more entries, which"), std::string::npos) << ledger.summary();
  const auto full = testing::resident_bytes();
  ledger.clear();
  EXPECT_EQ(ledger.summary(), "nothing");
  EXPECT_TRUE(testing::sanitized || testing::resident_bytes() < full - (std::int64_t{128} << 20));
}

TEST(Ledger, ClearForgets) {
  TransferLedger ledger;
  detail::record(of_kind(Kind::launch, 72, 6));
  ledger.clear();
  EXPECT_EQ(ledger.summary(), "nothing");
  detail::record(of_kind(Kind::launch, 72, 6));
  EXPECT_EQ(ledger.launches(), 1);
}

TEST(Ledger, SummaryHasALineForEachCount) {
  const auto summary_of = [](const std::vector<LedgerEntry>& entries) {
    const TransferLedger ledger;
    for (const auto& entry : entries) detail::record(entry);
    return ledger.summary();
  };
  EXPECT_EQ(summary_of({copy(gpu(0), gpu(1), 24)}), "1 copy, device to device: 24 bytes");
  EXPECT_EQ(summary_of({copy(cpu(), gpu(1), 1)}), "1 copy, host to device: 1 byte");
  EXPECT_EQ(summary_of({copy(gpu(1), cpu(), 4), copy(gpu(0), cpu(), 4)}), "2 copies, device to host: 8 bytes");
  EXPECT_EQ(summary_of({copy(gpu(1), gpu(1), 4)}), "1 copy, within a device: 4 bytes");
  EXPECT_EQ(summary_of({copy(cpu(), cpu(), 4)}), "1 copy, within the host: 4 bytes");
  EXPECT_EQ(summary_of({implicit(copy(gpu(0), cpu(), 24)), of_kind(Kind::synchronisation)}),
            "1 implicit copy, device to host: 24 bytes\n1 synchronisation");
  EXPECT_EQ(summary_of({leg(copy(gpu(0), cpu(), 24)), leg(copy(cpu(), gpu(1), 24)), copy(cpu(), gpu(1), 4)}),
            "1 copy, host to device: 4 bytes\n"
            "1 leg of a staged copy, host to device: 24 bytes\n"
            "1 leg of a staged copy, device to host: 24 bytes");
  EXPECT_EQ(summary_of({leg(copy(gpu(0), cpu(), 24)), leg(copy(gpu(0), cpu(), 24))}),
            "2 legs of staged copies, device to host: 48 bytes");
  EXPECT_EQ(summary_of(std::vector<LedgerEntry>(1000, of_kind(Kind::launch, 72, 6))),
            "1000 launches: 72000 bytes, 6000 floating-point operations");
  EXPECT_EQ(summary_of({of_kind(Kind::launch, 24)}), "1 launch: 24 bytes");
  EXPECT_EQ(summary_of({of_kind(Kind::launch, 3, 1)}), "1 launch: 3 bytes, 1 floating-point operation");
  EXPECT_EQ(summary_of({of_kind(Kind::allocation, 24), of_kind(Kind::allocation, 24), of_kind(Kind::release, 24)}),
            "2 allocations: 48 bytes\n1 release: 24 bytes");
  EXPECT_EQ(summary_of({of_kind(Kind::synchronisation), of_kind(Kind::synchronisation)}), "2 synchronisations");
  EXPECT_EQ(summary_of({of_kind(Kind::event_record), of_kind(Kind::event_wait)}),
            "1 event recorded\n1 wait of a device for an event");
}

TEST(Ledger, OpensAndClosesFromManyThreadsAtOnce) {
  constexpr int rounds = 100;
  constexpr int launches = 20;
  const TransferLedger all;
  std::atomic<int> wrong{0};
  std::barrier together(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        together.arrive_and_wait();
        const TransferLedger own;
        for (int launch = 0; launch < launches; ++launch) detail::record(of_kind(Kind::launch, 8, 1));
        if (own.launches() < launches || own.entries().empty() || own.launched_bytes() % 8 != 0) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(all.launches(), 8 * rounds * launches);
}

}  // namespace
}  // namespace d2l
