// SPDX-License-Identifier: MIT
// A trainer with several GPUs: the same training as on one, with each GPU's part of every batch.
#include "d2l/linear_regression.h"
#include "d2l/trainer.h"
#include "every_device.h"
#include "trainer/exact_training.h"

namespace d2l::testing {
namespace {

struct Trained {
  Tensor weight;
  Tensor bias;
  std::vector<double> losses;
};

Trained train(int count, std::int64_t batch_size, double clip = 0) {
  Exact model;
  model.plot_train_per_epoch = 100;
  Trainer trainer({.max_epochs = 2, .num_gpus = count, .gradient_clip_val = clip});
  trainer.fit(model, ExactData(batch_size));
  EXPECT_EQ(model.net->weight.device(), gpu(0));
  return {model.net->weight.detach().cpu(), model.net->bias.detach().cpu(), model.board.lines().at(0).y};
}

class SeveralGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (num_gpus() < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
  }
};

TEST_F(SeveralGpus, TrainAsOneToTheBit) {
  for (const std::int64_t batch_size : {16, 8, 4}) {
    const auto expected = train(1, batch_size);
    for (int count = 2; count <= num_gpus(); ++count) {
      if (count == 3) continue;  // thirds are not exact
      const auto found = train(count, batch_size);
      EXPECT_TRUE(found.weight.equal(expected.weight)) << count << " GPUs, batches of " << batch_size;
      EXPECT_TRUE(found.bias.equal(expected.bias));
      ASSERT_EQ(found.losses.size(), expected.losses.size());
      for (std::size_t i = 0; i < found.losses.size(); ++i) EXPECT_NEAR(found.losses[i], expected.losses[i], 1e-12);
    }
  }
}

TEST_F(SeveralGpus, TrainAsOneUnderDelays) {
  const auto expected = train(1, 8);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    set_delays(seed);
    EXPECT_TRUE(train(2, 8).weight.equal(expected.weight)) << "seed " << seed;
  }
  set_delays(std::nullopt);
}

TEST_F(SeveralGpus, PartsDifferByAtMostOneRowAndMayBeEmpty) {
  for (const std::int64_t batch_size : {5, 1}) {
    Exact model;
    Trainer trainer({.max_epochs = 1, .num_gpus = 2});
    trainer.fit(model, ExactData(batch_size));
    const auto expected = train(1, batch_size);
    EXPECT_EQ(model.devices.at(0), batch_size == 5 ? gpu(0) : gpu(1));
    EXPECT_EQ(model.rows.at(0), batch_size == 5 ? 2 : 1);
    const auto found = train(2, batch_size);
    EXPECT_TRUE(found.weight.allclose(expected.weight, 1e-9));
    for (std::size_t i = 0; i < expected.losses.size(); ++i) EXPECT_NEAR(found.losses[i], expected.losses[i], 1e-9);
  }
}

TEST_F(SeveralGpus, ClipTheNormOfTheWholeGradient) {
  const auto expected = train(1, 8, 0.5);
  EXPECT_TRUE(train(2, 8, 0.5).weight.allclose(expected.weight, 1e-12));
}

TEST_F(SeveralGpus, OptimizersFollowTheOptionsOfTheFirst) {
  const auto run = [](int count) {
    Exact model;
    Trainer trainer({.max_epochs = 1, .num_gpus = count});
    trainer.fit(model, ExactData(8));
    trainer.optimizer().param_groups()[0].options().set_lr(0.0625);
    trainer.fit_epoch();
    trainer.fit_epoch();
    return model.net->weight.detach().cpu();
  };
  EXPECT_TRUE(run(2).equal(run(1)));
}

TEST_F(SeveralGpus, AStepCopiesNothingToTheHostAndWaitsForNothing) {
  Exact model;
  Trainer trainer({.max_epochs = 0, .num_gpus = 2});
  trainer.fit(model, ExactData(16));
  trainer.fit_epoch();
  const bool direct = have_peer_access();
  const TransferLedger ledger;
  trainer.fit_epoch();
  EXPECT_EQ(ledger.copies(Direction::device_to_host), 1);  // the values of the board at the end of the epoch
  EXPECT_EQ(ledger.synchronisations(), 1);
  EXPECT_TRUE(!direct || ledger.sent_bytes(gpu(1)) > 0);
}

TEST_F(SeveralGpus, NoneWaitsForTheFirstBeforeItsBackwardPass) {
  if (!have_peer_access()) GTEST_SKIP() << "copies go through the host";
  Exact model;
  const TransferLedger ledger;
  Trainer({.max_epochs = 1, .num_gpus = 2}).fit(model, ExactData(16));
  const auto entries = ledger.entries();
  std::size_t last_product = 0;
  std::size_t first_copy = entries.size();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].queue == gpu(1) && entries[i].name == "matmul") last_product = i;
    const bool returns =
        entries[i].kind == LedgerEntry::Kind::copy && entries[i].source == gpu(1) && entries[i].destination == gpu(0);
    if (returns && first_copy == entries.size()) first_copy = i;
  }
  EXPECT_GT(last_product, 0U);
  EXPECT_LT(first_copy, entries.size());
  EXPECT_LT(last_product, first_copy);
}

struct Failing : Exact {
  Tensor training_step(const Batch& batch) override {
    if (net->weight.device() == gpu(1)) throw ValueError("no");
    return Exact::training_step(batch);
  }
};

TEST_F(SeveralGpus, AStepThatFailsLeavesTheParametersOfTheFirst) {
  Failing model;
  Trainer trainer({.max_epochs = 1, .num_gpus = 2});
  EXPECT_THROW(trainer.fit(model, ExactData(8)), ValueError);
  EXPECT_EQ(model.net->weight.device(), gpu(0));
}

TEST_F(SeveralGpus, BucketsMustHaveASize) {
  expect_error<ValueError>([] { return Trainer({.bucket_cap_mb = 0}).epoch(); }, "bucket_cap_mb is 0");
}

}  // namespace
}  // namespace d2l::testing
