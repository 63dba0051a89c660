// SPDX-License-Identifier: MIT
// Ledgers of the library, replayed: the results equal those of the same sequences by hand and depend on no clock.
#include <algorithm>

#include "cost_model/cost_model_sequences.h"
#include "every_device.h"
#include "messages.h"
#include "well_formed.h"

namespace d2l {
namespace {

using namespace testing;
using tests::contains;

TEST(CostModelOfLedgers, ALaunchHasTheDtypeOfItsInputs) {
  on_every_device([](Device device) {
    for (const auto dtype : {kFloat, kDouble, kInt}) {
      const auto x = ones({3, 5}, TensorOptions(device).dtype(dtype));
      const auto y = ones({5, 7}, TensorOptions(device).dtype(dtype));
      const TransferLedger ledger;
      static_cast<void>(x.mm(y));
      static_cast<void>(x == x);
      const auto entries = ledger.entries();
      const auto product = std::ranges::find(entries, Kind::launch, &LedgerEntry::kind);
      ASSERT_NE(product, entries.end());
      EXPECT_EQ(product->dtype, dtype);
      EXPECT_EQ(product->outputs, 21);
      EXPECT_EQ(product->flops, 2 * 3 * 5 * 7);
      for (const auto& entry : entries) {
        if (entry.name == "eq") {
          EXPECT_EQ(entry.dtype, dtype) << "not the dtype of the result";
          EXPECT_EQ(entry.outputs, 0);
        }
      }
    }
  });
}

TEST(CostModelOfLedgers, AThousandReads) {
  if (num_gpus() < 1) GTEST_SKIP() << "needs a GPU, physical or virtual";
  const auto x = ones({4}, gpu(0));
  const TransferLedger ledger;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(x.sum().item<float>(), 4);
  // Memory by 0.5, the launch issued by 1.5 and done by 5.5, the copy of 3.016 by 8.516; the host continues at 10.516
  // and releases the memory by 11.016.
  EXPECT_NEAR(replay(ledger, round_card()).seconds * 1e3, 1000 * 11.016, 1e-6);
}

TEST(CostModelOfLedgers, ACopyBetweenCards) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs, physical or virtual";
  const auto x = ones({250}, gpu(0));
  const TransferLedger ledger;
  const auto y = x.cuda(1);
  if (ledger.copies() != 1) GTEST_SKIP() << "these GPUs copy through the host";
  // Memory by 0.5; a mark in the other queue by 1, awaited by 1.5; the copy issued by 2.5 and done 1 + 0.5 later; two
  // more calls, which end before that.
  const auto modelled = replay(ledger, round_card());
  EXPECT_NEAR(modelled.seconds * 1e3, 4, 1e-9);
}

TEST(CostModelOfLedgers, ACardWaitsForTheResultOfAnother) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs, physical or virtual";
  const auto x = ones({2'000'000}, gpu(0));
  const auto y = ones({2'000'000}, gpu(1));
  auto made = empty_like(x);
  auto used = empty_like(y);
  const TransferLedger ledger;
  made.copy_(x);  // 16 million bytes: 16
  Event ready;
  ready.record(gpu(0));
  ready.block(gpu(1));
  used.copy_(y);
  const auto modelled = replay(ledger, round_card());
  EXPECT_NEAR(modelled.seconds * 1e3, 1 + 16 + 16, 1e-6);
  synchronize();
}

TEST(CostModelOfLedgers, AWaitForAnEventIsNotAWaitForTheQueue) {
  if (num_gpus() < 1) GTEST_SKIP() << "needs a GPU, physical or virtual";
  const auto x = ones({2'000'000}, gpu(0));
  auto first = empty_like(x);
  const TransferLedger ledger;
  first.copy_(x);
  Event ready;
  ready.record(gpu(0));
  first.copy_(x);
  ready.synchronize();
  EXPECT_EQ(replay(ledger, round_card()).timeline.back().ended, 19'000'000);
  synchronize();
}

TEST(CostModelOfLedgers, DoNotDependOnAClock) {
  const auto device = try_gpu();
  const TransferLedger ledger;
  const auto x = rand({30, 30}, device);
  static_cast<void>((x.mm(x) + x).sum().item<float>());
  const auto measured = ledger.entries();
  auto untimed = measured;
  for (auto& entry : untimed) entry.issued = entry.began = entry.ended = -1;
  const auto& card = card_named("T4");
  const auto modelled = replay(measured, card);
  EXPECT_GT(modelled.seconds, 0);
  EXPECT_EQ(modelled.seconds, replay(untimed, card).seconds);
  EXPECT_EQ(modelled.svg(), replay(untimed, card).svg());
  EXPECT_EQ(modelled.seconds, replay(modelled.timeline, card).seconds) << "the timeline is the sequence again";
}

TEST(CostModelOfLedgers, AProductIsThatOfALedger) {
  const auto device = try_gpu();
  const auto x = ones({96, 96}, device);
  const TransferLedger ledger;
  const auto y = x.mm(x);
  if (device.is_cuda()) synchronize(device);
  auto card = card_named("V100");
  card.host.call = 0;  // of the allocation
  EXPECT_DOUBLE_EQ(replay(ledger, card).seconds, product_seconds(card, device, 96));
}

TEST(Timeline, OfMeasuredEntriesNamesTheDevice) {
  const auto device = try_gpu();
  const TransferLedger ledger;
  static_cast<void>(ones({64, 64}, device).mm(ones({64, 64}, device)).sum().item<float>());
  const auto entries = ledger.entries();
  const auto svg = timeline_svg(entries);
  expect_well_formed(svg);
  const bool on_host = device.is_cuda() && device_properties(device).kind == DeviceKind::virtual_gpu_on_host;
  EXPECT_TRUE(
      contains(svg, on_host ? "<title>Timeline, host threads, not a GPU</title>" : "<title>Timeline, measured<"));
  EXPECT_TRUE(contains(timeline_description(entries), device.is_cuda() ? "cuda:0: 4 launches" : "host thread 0: "));
  EXPECT_FALSE(contains(svg, "modelled"));
}

}  // namespace
}  // namespace d2l
