// SPDX-License-Identifier: MIT
// checkpoint(): the gradients of the plain call, with fewer bytes kept and more launches, and the same random numbers.
#include <algorithm>

#include "d2l/transfers.h"
#include "every_device.h"

namespace d2l::testing {
namespace {

/// Four layers, with dropout between them.
nn::Sequential model_on(Device device) {
  manual_seed(1);
  nn::Sequential model(nn::Linear(8, 32), nn::ReLU(), nn::Dropout(0.5), nn::Linear(32, 32), nn::Tanh(),
                       nn::Linear(32, 4));
  model->to(device);
  return model;
}

struct Step {
  std::vector<std::vector<double>> gradients;
  std::int64_t kept = 0;      ///< bytes that forward() leaves, without the result
  std::int64_t launches = 0;  ///< of both passes
};

Step step_of(Device device, bool recomputes, bool wants_input) {
  const auto model = model_on(device);
  const Tensor x = randn({64, 8}, device).set_requires_grad(wants_input);
  Step step;
  manual_seed(7);
  const auto before = live_memory(device).bytes;
  const TransferLedger ledger;
  const auto forward = [&](const Tensor& input) { return model->forward(input); };
  const Tensor y = recomputes ? utils::checkpoint(forward, x) : forward(x);
  step.kept = live_memory(device).bytes - before - y.numel() * 4;
  const Tensor next = rand({3}, device);  // the numbers that follow are those of the plain call
  (y * y).sum().backward();
  step.launches = ledger.launches();
  for (const Tensor& parameter : model->parameters()) step.gradients.push_back(parameter.grad().to_vector<double>());
  if (wants_input) step.gradients.push_back(x.grad().to_vector<double>());
  step.gradients.push_back(next.to_vector<double>());
  step.gradients.push_back(rand({3}, device).to_vector<double>());
  return step;
}

TEST(Checkpoint, GivesTheSameGradientsWithFewerBytesAndMoreLaunches) {
  on_every_device([](Device device) {
    for (const bool wants_input : {true, false}) {
      const Step plain = step_of(device, false, wants_input);
      const Step again = step_of(device, true, wants_input);
      EXPECT_EQ(again.gradients, plain.gradients);
      EXPECT_GT(plain.kept, 64 * 32 * 4 * 2);
      EXPECT_EQ(again.kept, 0);
      EXPECT_GT(again.launches, plain.launches + 6);
    }
  });
}

/// The most bytes that were in use at once since the ledger was opened, by its entries.
std::int64_t peak(const TransferLedger& ledger) {
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (const LedgerEntry& entry : ledger.entries()) {
    if (entry.kind == LedgerEntry::Kind::allocation) most = std::max(most, now += entry.bytes);
    if (entry.kind == LedgerEntry::Kind::release) now -= entry.bytes;
  }
  return most;
}

TEST(Checkpoint, OfEachBlockLowersThePeak) {
  on_every_device([](Device device) {
    manual_seed(1);
    std::vector<nn::Sequential> blocks;
    for (int i = 0; i < 6; ++i) {
      blocks.emplace_back(nn::Linear(16, 64), nn::Tanh(), nn::Dropout(0.1), nn::Linear(64, 16));
      blocks.back()->to(device);
    }
    const Tensor x = randn({128, 16}, device);
    const auto peak_of = [&](bool recomputes) {
      const TransferLedger ledger;
      Tensor y = x;
      for (const auto& block : blocks) {
        const auto call = [&](const Tensor& input) { return block->forward(input); };
        y = recomputes ? utils::checkpoint(call, y) : call(y);
      }
      y.sum().backward();
      for (const auto& block : blocks) block->zero_grad(true);
      return peak(ledger);
    };
    const auto plain = peak_of(false);
    EXPECT_GT(plain, 6 * 3 * 128 * 64 * 4);
    EXPECT_LT(peak_of(true), plain / 2);
  });
}

TEST(Checkpoint, DifferentiatesEachCallOfSeveral) {
  const Tensor x = tensor({0.5, -1.0, 2.0}, requires_grad(true).dtype(kDouble));
  const auto square = [](const Tensor& a) { return a * a; };
  utils::checkpoint(square, utils::checkpoint(square, x)).sum().backward();
  expect_tensor(x.grad(), {3}, {4 * 0.125, -4, 32});
}

TEST(Checkpoint, RecordsNothingUnderANoGradGuard) {
  const NoGradGuard unrecorded;
  const Tensor y = utils::checkpoint([](const Tensor& a) { return a + 1; }, ones({2}));
  EXPECT_FALSE(y.requires_grad());
}

TEST(Checkpoint, CanBeDifferentiatedTwiceIfTheGraphIsKept) {
  const Tensor x = tensor({1.0, 2.0}, requires_grad(true));
  const Tensor y = utils::checkpoint([](const Tensor& a) { return a * a; }, x).sum();
  y.backward({}, true);
  y.backward();
  expect_tensor(x.grad(), {2}, {4, 8});
  expect_error<ValueError>([&] { y.backward(); }, "Trying to backward through the graph a second time");
}

TEST(Checkpoint, KeepsAnInputThatItReturnsAndAnUndefinedOne) {
  const Tensor x = tensor({1.0, 2.0}, requires_grad(true));
  const Tensor y =
      utils::checkpoint([](const Tensor& a, const Tensor& b) { return b.defined() ? a + b : a; }, x, Tensor());
  EXPECT_FALSE(y.is_same(x));
  y.sum().backward();
  expect_tensor(x.grad(), {2}, {1, 1});
}

TEST(Checkpoint, RefusesGradAndAnInputThatWasWritten) {
  const Tensor x = tensor({1.0, 2.0}, requires_grad(true));
  const auto square = [](const Tensor& a) { return a * a; };
  const Tensor y = utils::checkpoint(square, x).sum();
  expect_error<ValueError>([&] { return autograd::grad({y}, {x}); },
                           "torch.utils.checkpoint is incompatible with .grad()");
  EXPECT_FALSE(x.grad().defined());
  Tensor z = x * 2;
  const Tensor w = utils::checkpoint(square, z).sum();
  z.add_(1);
  expect_error<ValueError>([&] { w.backward(); }, "has been modified by an inplace operation");
}

TEST(Checkpoint, LeavesNoMemoryBehind) {
  on_every_device([](Device device) {
    const auto model = model_on(device);
    const auto run = [&] {
      const Tensor x = randn({4, 8}, device);
      utils::checkpoint([&](const Tensor& a) { return model->forward(a); }, x).sum().backward();
      model->zero_grad(true);
    };
    run();
    expect_no_leak(device, run);
  });
}

}  // namespace
}  // namespace d2l::testing
