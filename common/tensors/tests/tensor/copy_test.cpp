// SPDX-License-Identifier: MIT
// Copies: their entries in the ledger, when they wait, and which memory they keep alive.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>
#include <utility>

#include "every_device.h"
#include "messages.h"

namespace d2l::testing {
namespace {

using Kind = LedgerEntry::Kind;

std::vector<LedgerEntry> of_kind(const TransferLedger& ledger, Kind kind) {
  std::vector<LedgerEntry> found;
  for (const auto& entry : ledger.entries()) {
    if (entry.kind == kind) found.push_back(entry);
  }
  return found;
}

TEST(Copies, NothingWhenNothingChanges) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, device);
    const TransferLedger ledger;
    EXPECT_TRUE(x.to(device).is_same(x));
    EXPECT_TRUE(x.to(device, kFloat).is_same(x));
    EXPECT_TRUE(x.to(kFloat).is_same(x));
    EXPECT_TRUE(x.to(x).is_same(x));
    EXPECT_TRUE((device.is_cpu() ? x.cpu() : x.cuda(device.index())).is_same(x));
    EXPECT_TRUE(ledger.entries().empty());
    EXPECT_FALSE(x.to(device, kFloat, false, true).is_same(x));
    EXPECT_FALSE(x.copy_to(device).is_same(x));
    EXPECT_EQ(ledger.copies(), 0);
    EXPECT_EQ(ledger.synchronisations(), 0);
  });
}

TEST(Copies, BetweenAllPairsKeepValues) {
  on_every_device([](Device from) {
    const auto x = arange(6.0, from).view({2, 3});
    on_every_device([&](Device to) {
      for (const auto& source : {x, x.t(), x.slice(1, 0, 3, 2), x[0].expand({4, 3}), x.slice(0, 2)}) {
        const auto y = source.to(to);
        expect_on(to, y);
        EXPECT_EQ(y.to_vector<double>(), source.to_vector<double>());
        EXPECT_EQ(source.to(to, kLong).to_vector<double>(), source.to_vector<double>());
        auto target = zeros({3, 2}, TensorOptions(kDouble).device(to)).t();
        if (source.sizes() == target.sizes()) {
          target.copy_(source);
          EXPECT_EQ(target.to_vector<double>(), source.to_vector<double>());
        }
      }
      auto rows = zeros({2, 3}, to);
      rows.copy_(x[1]);
      expect_tensor(rows, {2, 3}, {3, 4, 5, 3, 4, 5});
      rows[0] = x.select(0, 0);
      expect_tensor(rows, {2, 3}, {0, 1, 2, 3, 4, 5});
    });
  });
}

TEST(Copies, CostWhatTheLedgerSays) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  const auto host = ones({2, 3});
  const auto x = ones({2, 3}, gpu(0));
  const bool direct = have_peer_access();
  {
    const TransferLedger ledger;
    const auto y = x.cuda(1);
    EXPECT_EQ(ledger.synchronisations(), 0);
    EXPECT_EQ(ledger.launches(), 0);
    if (direct) {
      EXPECT_EQ(ledger.copies(), 1);
      EXPECT_EQ(ledger.copies(Direction::device_to_device), 1);
      EXPECT_EQ(ledger.copied_bytes(), 24);
      EXPECT_EQ(of_kind(ledger, Kind::event_record).size(), 2U);
      EXPECT_EQ(of_kind(ledger, Kind::event_wait).size(), 2U);
    }
    EXPECT_TRUE(y.equal(ones({2, 3}, gpu(1))));
  }
  {
    const TransferLedger ledger;
    static_cast<void>(host.cuda(1));
    const auto copies = of_kind(ledger, Kind::copy);
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_TRUE(copies[0].staged);
    EXPECT_FALSE(copies[0].implicit);
    EXPECT_EQ(copies[0].bytes, 24);
    EXPECT_EQ(ledger.synchronisations(), 0);
  }
  {
    const TransferLedger ledger;
    static_cast<void>(x.cpu());
    EXPECT_EQ(ledger.copies(Direction::device_to_host), 1);
    EXPECT_EQ(ledger.implicit_copies(), 0);
    EXPECT_EQ(ledger.synchronisations(), 1);
  }
  {
    const TransferLedger ledger;
    EXPECT_EQ(x[0][0].item<float>(), 1);
    EXPECT_EQ(ledger.implicit_copies(), 1);
    EXPECT_EQ(ledger.copied_bytes(), 4);
    EXPECT_EQ(ledger.synchronisations(), 1);
  }
  {
    const TransferLedger ledger;
    EXPECT_TRUE(x.equal(x + 0));
    EXPECT_EQ(ledger.implicit_copies(), 1);
    EXPECT_EQ(ledger.copied_bytes(), 1);
  }
  {
    const TransferLedger ledger;
    auto y = x;
    for (int i = 0; i < 1000; ++i) y = y + 1;
    EXPECT_EQ(ledger.copies(), 0);
    EXPECT_EQ(ledger.synchronisations(), 0);
    EXPECT_EQ(ledger.launches(), 1000);
  }
  {
    const TransferLedger ledger;
    EXPECT_EQ(host[0][0].item<float>(), 1);
    EXPECT_EQ(host.to_vector<float>().size(), 6U);
    EXPECT_TRUE(ledger.entries().empty());
  }
}

TEST(Copies, LaunchesTellBytesAndOperations) {
  on_every_device([](Device device) {
    const auto x = ones({4, 3}, device);
    const auto row = ones({3}, device);
    const auto counts = [&](const auto& body) {
      const TransferLedger ledger;
      body();
      return std::vector<std::int64_t>{ledger.launches(), ledger.launched_bytes(), ledger.launched_flops()};
    };
    using Counts = std::vector<std::int64_t>;
    EXPECT_EQ(counts([&] { return x + x; }), (Counts{1, 3 * 48, 12}));
    EXPECT_EQ(counts([&] { return x + row; }), (Counts{1, 48 + 12 + 48, 12}));
    EXPECT_EQ(counts([&] { return x + 1; }), (Counts{1, 2 * 48, 12}));
    EXPECT_EQ(counts([&] { return x.sum(); }), (Counts{1, 48 + 4, 12}));
    EXPECT_EQ(counts([&] { return x.sum(0); }), (Counts{1, 48 + 12, 12}));
    EXPECT_EQ(counts([&] { return x.t().sum(1); }), (Counts{1, 48 + 12, 12}));
    EXPECT_EQ(counts([&] { return x.mm(x.t()); }), (Counts{1, 48 + 48 + 64, 2 * 4 * 3 * 4}));
    EXPECT_EQ(counts([&] { return zeros({4, 3}, device); }), (Counts{1, 48, 0}));
    EXPECT_EQ(counts([&] { return x.t().clone(); }), (Counts{1, 96, 0}));
    EXPECT_EQ(counts([&] { return x < x; }), (Counts{1, 2 * 48 + 12, 12}));
    const auto wide = x.to(kDouble);
    EXPECT_EQ(counts([&] { return wide + wide; }), (Counts{1, 3 * 96, 12}));
  });
}

TEST(Copies, WithoutPeerAccessGoThroughTheHost) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  const auto x = arange(6.0, gpu(0));
  set_peer_access(false);
  Tensor y;
  {
    const TransferLedger ledger;
    y = x.cuda(1);
    const auto copies = of_kind(ledger, Kind::copy);
    EXPECT_EQ(ledger.synchronisations(), 0);
    ASSERT_EQ(copies.size(), 2U);
    for (const auto& copy : copies) {
      EXPECT_TRUE(copy.staged);
      EXPECT_TRUE(copy.leg);
      EXPECT_FALSE(copy.implicit);
      EXPECT_EQ(copy.bytes, 24);
    }
    EXPECT_TRUE(copies[0].destination.is_cpu());
    EXPECT_EQ(copies[1].destination, gpu(1));
  }
  set_peer_access(true);
  expect_tensor(y, {6}, {0, 1, 2, 3, 4, 5});
}

TEST(Copies, RefuseInPyTorchsWords) {
  on_every_device([](Device device) {
    auto x = ones({2, 3}, device);
    expect_error<ShapeError>(
        [&] { return x.copy_(ones({4})); },
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
    expect_error<ShapeError>([&] { return x[0].copy_(ones(list(2, 3))); },
                             "output with shape [3] doesn't match the broadcast shape [2, 3]");
    expect_error<DeviceError>([&] { return x.cuda(100); }, "");
    expect_error<DeviceError>([&] { return x.cuda(-1); }, "");
  });
  if (num_gpus() > 0) {
    expect_error<DeviceError>([] { return ones({2}, gpu()).pin_memory(); }, "only dense CPU tensors can be pinned");
  }
}

/// Holds the queue of gpu(0) from another thread, which releases it 50 milliseconds after `release`.
class HeldElsewhere {
 public:
  HeldElsewhere() : thread_([this] { hold(); }) { held_.get_future().wait(); }
  ~HeldElsewhere() {
    release();
    thread_.join();
  }
  HeldElsewhere(const HeldElsewhere&) = delete;
  HeldElsewhere& operator=(const HeldElsewhere&) = delete;
  void release() {
    if (!std::exchange(released_, true)) go_.set_value();
  }

 private:
  void hold() {
    const HeldQueue queue(gpu());
    held_.set_value();
    go_.get_future().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::promise<void> held_;
  std::promise<void> go_;
  bool released_ = false;
  std::thread thread_;
};

class Pinned : public ::testing::Test {
 protected:
  void SetUp() override {
    if (num_gpus() < 1) GTEST_SKIP() << "needs a GPU";
  }
};

TEST_F(Pinned, MemoryIsPinned) {
  const auto x = arange(3.0).pin_memory();
  EXPECT_TRUE(x.is_pinned());
  EXPECT_TRUE(x.pin_memory().is_same(x));
  EXPECT_TRUE(zeros({2}, TensorOptions().pinned_memory(true)).is_pinned());
  EXPECT_TRUE(arange(3).to(TensorOptions().pinned_memory(true)).is_pinned());
  EXPECT_TRUE(x.slice(0, 1).is_pinned());
  expect_tensor(x, {3}, {0, 1, 2});
  expect_error<DeviceError>([] { return zeros({2}, TensorOptions(gpu()).pinned_memory(true)); },
                            "Only dense CPU tensors can be pinned");
}

TEST_F(Pinned, ReadingWaitsForACopyUnderWay) {
  const auto x = arange(1000.0, gpu());
  HeldElsewhere held;
  const TransferLedger ledger;
  const auto y = x.to(cpu(), kFloat, true);  // returns although the queue is held
  EXPECT_TRUE(y.is_pinned());
  EXPECT_EQ(ledger.synchronisations(), 0);
  EXPECT_NE(data_without_waiting(y), nullptr);
  held.release();
  EXPECT_EQ(y[999].item<float>(), 999);
  EXPECT_EQ(ledger.synchronisations(), 1);
  EXPECT_EQ(y.sum().item<float>(), 499500);
  EXPECT_EQ(ledger.synchronisations(), 1);
}

TEST_F(Pinned, WritingWaitsForACopyThatReads) {
  auto x = ones({1000}).pin_memory();
  HeldElsewhere held;
  const auto y = x.to(gpu(), kFloat, true);
  EXPECT_EQ(x.sum().item<float>(), 1000);  // reading does not have to wait
  held.release();
  x.fill_(2);
  EXPECT_EQ(y.sum().item<float>(), 1000);
}

TEST_F(Pinned, MemoryOutlivesItsTensorWhileItIsCopied) {
  Tensor y;
  {
    const HeldQueue held(gpu());
    {
      const auto x = full({1000}, 3.0, TensorOptions().pinned_memory(true));
      y = x.to(gpu(), kFloat, true);
    }
    std::vector<Tensor> others;
    for (int i = 0; i < 8; ++i) others.push_back(full({1000}, 4.0, TensorOptions().pinned_memory(true)));
  }
  EXPECT_EQ(y.sum().item<float>(), 3000);
  {
    const HeldQueue held(gpu());
    static_cast<void>(y.to(cpu(), kFloat, true));  // released before the copy is done
  }
  synchronize(gpu());
}

TEST_F(Pinned, CopiesOfTwoDevicesKeepTheirOrder) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  auto middle = zeros({1000}, TensorOptions().pinned_memory(true));
  const auto first = ones({1000}, gpu(0));
  for (int round = 0; round < 20; ++round) {
    middle.copy_(first * round, true);
    const auto second = middle.to(gpu(1), kFloat, true);
    EXPECT_EQ(second.sum().item<float>(), 1000.0F * static_cast<float>(round));
  }
}

TEST(Copies, RelabelledTensorIsCaught) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  EXPECT_EXIT(
      {
        setenv("D2L_CHECK_PLACEMENT", "1", 1);
        const auto lie = relabel(ones({2}, gpu(0)), gpu(1));
        std::fputs(tests::message_of<DeviceError>([&] { return lie + ones({2}, gpu(1)); }).c_str(), stderr);
        std::_Exit(3);
      },
      ::testing::ExitedWithCode(3), "says that it is on cuda:1, but its memory belongs to cuda:0");
}

}  // namespace
}  // namespace d2l::testing
