// SPDX-License-Identifier: MIT
// The costs of operations in the ledger: copies, synchronisations, launches with their bytes and floating-point
// operations.
#include "d2l/transfers.h"

#include <sstream>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/testing.h"
#include "every_device.h"
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

template <int count>
class Gpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (num_gpus() < count) GTEST_SKIP() << "needs " << count << " GPUs, found " << num_gpus();
  }
};
using OneGpu = Gpus<1>;
using TwoGpus = Gpus<2>;

TEST_F(TwoGpus, CopyingBetweenThemIsOneCopyOfAllBytes) {
  const auto x = ones({2, 3}, gpu(0));
  const TransferLedger ledger;
  const auto z = x.cuda(1);
  EXPECT_EQ(ledger.copies(), 1) << ledger.summary();
  EXPECT_EQ(ledger.copies(Direction::device_to_device), 1);
  EXPECT_EQ(ledger.copied_bytes(), 24);
  EXPECT_EQ(ledger.implicit_copies(), 0);
  EXPECT_EQ(ledger.synchronisations(), 0);
  EXPECT_EQ(ledger.launches(), 0);
  EXPECT_EQ(ledger.allocations(), 1);
  EXPECT_EQ(ledger.allocated_bytes(), 24);
  EXPECT_EQ(ledger.summary().substr(0, ledger.summary().find('\n')), "1 copy, device to device: 24 bytes");
  const auto copy = of_kind(ledger, Kind::copy).at(0);
  EXPECT_EQ(copy.source, gpu(0));
  EXPECT_EQ(copy.destination, gpu(1));
  EXPECT_FALSE(copy.staged);
  EXPECT_GE(copy.ended, copy.began);
  EXPECT_TRUE(testing::placed(z));
  EXPECT_EQ(testing::owner(z), gpu(1));
}

TEST_F(TwoGpus, WithoutPeerAccessThereAreTwoLegs) {
  if (device_properties(gpu(0)).kind != DeviceKind::virtual_gpu_on_host)
    GTEST_SKIP() << "peer access of real GPUs cannot be disabled";
  const auto x = ones({2, 3}, gpu(0));
  testing::set_peer_access(false);
  const TransferLedger ledger;
  const auto z = x.cuda(1);
  testing::set_peer_access(true);
  EXPECT_EQ(z.to_vector<float>(), std::vector<float>(6, 1));
  const auto copies = of_kind(ledger, Kind::copy);
  ASSERT_GE(copies.size(), 2u);
  EXPECT_EQ(copies[0].source, gpu(0));
  EXPECT_EQ(copies[0].destination, cpu());
  EXPECT_EQ(copies[1].source, cpu());
  EXPECT_EQ(copies[1].destination, gpu(1));
  for (int leg = 0; leg < 2; ++leg) {
    EXPECT_TRUE(copies[static_cast<std::size_t>(leg)].staged);
    EXPECT_TRUE(copies[static_cast<std::size_t>(leg)].leg);
    EXPECT_FALSE(copies[static_cast<std::size_t>(leg)].implicit);
    EXPECT_EQ(copies[static_cast<std::size_t>(leg)].bytes, 24);
  }
}

TEST(TransfersAnywhere, MovingToTheSameDeviceCostsNothing) {
  for (const auto device : testing::every_device()) {
    SCOPED_TRACE(device);
    const auto z = ones({2, 3}, device);
    const TransferLedger ledger;
    const auto same = device.is_cuda() ? z.cuda(device.index()) : z.cpu();
    const auto again = z.to(device).to(z).to(kFloat).contiguous();
    EXPECT_TRUE(same.is_same(z));
    EXPECT_TRUE(again.is_same(z));
    EXPECT_EQ(ledger.summary(), "nothing");
  }
}

TEST(TransfersAnywhere, ViewsAndMetadataCostNothing) {
  for (const auto device : testing::every_device()) {
    SCOPED_TRACE(device);
    const auto x = ones({2, 3}, device);
    const TransferLedger ledger;
    (void)x.view({3, 2}).t().unsqueeze(0).squeeze(0).permute({1, 0}).transpose(0, 1).select(0, 1).expand({4, 3});
    (void)x[0].slice(0, 1, 3, 2).reshape({1, 1});
    (void)x.sizes();
    (void)x.nbytes();
    (void)x.device();
    EXPECT_EQ(ledger.summary(), "nothing");
  }
}

TEST_F(OneGpu, ReadingAValueIsOneImplicitCopyAndOneSynchronisation) {
  for (const auto device : gpus(num_gpus())) {
    SCOPED_TRACE(device);
    const auto x = ones({2, 3}, device);
    const auto total = x.sum();
    const TransferLedger ledger;
    EXPECT_EQ(total.item<float>(), 6);
    EXPECT_EQ(ledger.summary().rfind("1 implicit copy, device to host: 4 bytes\n1 synchronisation", 0), 0u)
        << ledger.summary();
    EXPECT_EQ(ledger.copies(), 1);
    EXPECT_EQ(ledger.launches(), 0);
  }
}

TEST_F(OneGpu, PrintingIsOneImplicitCopyAndOneSynchronisation) {
  for (const auto device : gpus(num_gpus())) {
    SCOPED_TRACE(device);
    const auto x = ones({2, 3}, device);
    const auto print = [&] {
      std::ostringstream out;
      out << x;
    };
    for (const auto& action :
         std::vector<std::function<void()>>{[&] { (void)repr(x); }, print, [&] { (void)repr(x.t()); }}) {
      const TransferLedger ledger;
      action();
      EXPECT_EQ(ledger.copies(Direction::device_to_host), 1) << ledger.summary();
      EXPECT_EQ(ledger.copies(), 1);
      EXPECT_EQ(ledger.implicit_copies(), 1);
      EXPECT_EQ(ledger.copied_bytes(), 24);
      EXPECT_EQ(ledger.synchronisations(), 1);
    }
  }
}

TEST_F(OneGpu, CopiesToAndFromTheHostAreExplicit) {
  const auto host = ones({2, 3});
  for (const auto device : gpus(num_gpus())) {
    SCOPED_TRACE(device);
    const TransferLedger ledger;
    const auto x = host.to(device);
    EXPECT_EQ(ledger.copies(), 1) << ledger.summary();
    EXPECT_EQ(ledger.copied_bytes(Direction::host_to_device), 24);
    const auto back = x.cpu();
    EXPECT_EQ(ledger.copies(), 2) << ledger.summary();
    EXPECT_EQ(ledger.copied_bytes(Direction::device_to_host), 24);
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(6, 1));
    EXPECT_EQ(ledger.copies(), 3) << ledger.summary();
    EXPECT_EQ(ledger.implicit_copies(), 0);
  }
}

TEST_F(OneGpu, AThousandElementwiseOperationsDoNotWaitOrCopy) {
  for (const auto device : gpus(num_gpus())) {
    SCOPED_TRACE(device);
    auto x = zeros({2, 3}, device);
    const auto one = ones({2, 3}, device);
    const TransferLedger ledger;
    for (int i = 0; i < 1000; ++i) x = x + one;
    EXPECT_EQ(ledger.synchronisations(), 0);
    EXPECT_EQ(ledger.copies(), 0);
    EXPECT_EQ(ledger.launches(), 1000);
    EXPECT_TRUE(tests::contains(ledger.summary(), "1000 launches: 72000 bytes, 6000 floating-point operations"));
    EXPECT_EQ(x.sum().item<float>(), 6000);
  }
}

/// Checks the bytes and operations of the one launch of `work`.
template <class Work>
void expect_cost(const char* name, std::int64_t bytes, std::int64_t flops, const Work& work) {
  const TransferLedger ledger;
  const auto result = work();
  EXPECT_EQ(ledger.launches(), 1) << name << ": " << ledger.summary();
  EXPECT_EQ(ledger.copies(), 0) << name << ": " << ledger.summary();
  EXPECT_EQ(ledger.launched_bytes(), bytes) << name;
  EXPECT_EQ(ledger.launched_flops(), flops) << name;
}

TEST(TransfersAnywhere, LaunchesHaveTheBytesAndOperationsCountedByHand) {
  for (const auto device : testing::every_device()) {
    SCOPED_TRACE(device);
    const auto x = ones({5, 7}, device);
    const auto y = ones({7, 11}, device);
    const auto wide = ones({5, 7}, TensorOptions(device).dtype(kDouble));
    expect_cost("two read, one written", 3 * 35 * 4, 35, [&] { return x + x; });
    expect_cost("a number is not read", 2 * 35 * 4, 35, [&] { return x + 1; });
    expect_cost("float64", 3 * 35 * 8, 35, [&] { return wide + wide; });
    expect_cost("sum", 35 * 4 + 4, 35, [&] { return x.sum(); });
    expect_cost("sum of rows", 35 * 4 + 5 * 4, 35, [&] { return x.sum(1); });
    expect_cost("a multiply-add is two", (5 * 7 + 7 * 11 + 5 * 11) * 4, 2 * 5 * 7 * 11, [&] { return x.mm(y); });
    expect_cost("a bool is a byte", 2 * 35 * 4 + 35, 35, [&] { return x < x; });
    expect_cost("fill", 35 * 4, 0, [&] { return zeros({5, 7}, device); });
  }
}

TEST(TransfersAnywhere, AllocationsAndReleasesBalance) {
  for (const auto device : testing::every_device()) {
    SCOPED_TRACE(device);
    const TransferLedger ledger;
    {
      const auto x = ones({2, 3}, device);
      const auto y = x + x;
      EXPECT_EQ(ledger.allocations(), 2);
      EXPECT_EQ(ledger.allocated_bytes(), 48);
      EXPECT_EQ(ledger.releases(), 0);
    }
    EXPECT_EQ(ledger.releases(), 2);
    for (const auto& entry : of_kind(ledger, Kind::allocation)) EXPECT_EQ(entry.queue, device);
  }
}

TEST_F(OneGpu, SynchronisationsHaveTimesAndTheAwaitedDevice) {
  const TransferLedger ledger;
  for (const auto device : gpus(num_gpus())) synchronize(device);
  const auto waits = of_kind(ledger, Kind::synchronisation);
  ASSERT_EQ(waits.size(), static_cast<std::size_t>(num_gpus()));
  for (int i = 0; i < num_gpus(); ++i) {
    const auto& wait = waits[static_cast<std::size_t>(i)];
    EXPECT_EQ(wait.queue, gpu(i));
    EXPECT_GE(wait.began, wait.issued);
    EXPECT_GE(wait.ended, wait.began);
  }
}

TEST_F(TwoGpus, EventsAreNotSynchronisations) {
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

TEST_F(OneGpu, ReadingEntriesAddsNone) {
  const TransferLedger outer;
  const auto x = ones({2, 3}, gpu(0)) + 1;
  const auto before = outer.entries().size();
  (void)outer.chrome_trace();
  (void)outer.summary();
  EXPECT_EQ(outer.entries().size(), before);
  EXPECT_EQ(outer.synchronisations(), 0);
}

TEST_F(OneGpu, ASummaryNeedsNoWait) {
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
