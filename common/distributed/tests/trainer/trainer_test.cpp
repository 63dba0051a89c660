// SPDX-License-Identifier: MIT
// The trainer: its results, preparation, cost and errors.
#include "d2l/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "core/tensor_impl.h"
#include "d2l/linear_regression.h"
#include "every_device.h"
#include "trainer/watched_regression.h"

namespace d2l::testing {
namespace {

TEST(Trainer, LearnsTheLineOnEveryKindOfDevice) {
  for (const int gpus : {0, one_gpu()}) {
    SCOPED_TRACE(gpus);
    manual_seed(2);
    WatchedRegression model;
    const SyntheticRegressionData data;
    Trainer trainer({.max_epochs = 3, .num_gpus = gpus});
    trainer.fit(model, data);
    const auto w = model.net->weight.to_vector<double>();
    ASSERT_EQ(w.size(), 2u);
    EXPECT_NEAR(w[0], 2, 0.05);
    EXPECT_NEAR(w[1], -3.4, 0.05);
    EXPECT_NEAR(model.net->bias.to_vector<double>()[0], 4.2, 0.05);
    EXPECT_EQ(trainer.epoch(), 3);
    EXPECT_EQ(trainer.num_train_batches(), 32);
    EXPECT_EQ(trainer.train_batch_idx(), 96);
    EXPECT_EQ(model.net->weight.device(), gpus > 0 ? gpu(0) : cpu());
  }
}

TEST(Trainer, LosesAlikeOnTheCpuAndOnAGpu) {
  if (num_gpus() == 0) GTEST_SKIP() << "this compares a GPU with the CPU";
  const auto on_cpu = losses_of_training({.max_epochs = 3});
  const auto on_gpu = losses_of_training({.max_epochs = 3, .num_gpus = 1});
  ASSERT_EQ(on_cpu.size(), 96u);
  ASSERT_EQ(on_gpu.size(), 96u);
  for (std::size_t i = 0; i < on_cpu.size(); ++i) EXPECT_NEAR(on_cpu[i], on_gpu[i], 1e-5) << i;
  const auto on_all = losses_of_training({.max_epochs = 3, .num_gpus = num_gpus()});
  ASSERT_EQ(on_all.size(), 96u);
  for (std::size_t i = 0; i < on_all.size(); ++i)
    EXPECT_NEAR(on_all[i], on_gpu[i], 1e-6 * std::max(1.0, on_gpu[i])) << i;
}

TEST(Trainer, DelaysChangeNothing) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  const auto expected = losses_of_training({.max_epochs = 1, .num_gpus = 1, .gradient_clip_val = 1});
  for (const std::uint64_t seed : {7U, 8U}) {
    set_delays(seed);
    EXPECT_EQ(losses_of_training({.max_epochs = 1, .num_gpus = 1, .gradient_clip_val = 1}), expected);
  }
  set_delays(std::nullopt);
}

/// Holds the queue of the first GPU from its first training step to its last step of an epoch.
class HoldingRegression : public WatchedRegression {
 public:
  using WatchedRegression::WatchedRegression;
  Tensor training_step(const Batch& batch) override {
    if (!held) held.emplace(gpu(0));
    return WatchedRegression::training_step(batch);
  }
  void validation_step(const Batch& batch) override {
    WatchedRegression::validation_step(batch);
    if (++validated == trainer()->num_val_batches()) held.reset();
  }
  std::optional<HeldQueue> held;
  std::int64_t validated = 0;
};

TEST(Trainer, NoStepWaitsForTheGpu) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  manual_seed(1);
  HoldingRegression model;
  const SyntheticRegressionData data({.num_train = 256, .num_val = 64});
  Trainer trainer({.max_epochs = 1, .num_gpus = 1, .gradient_clip_val = 1});
  EXPECT_NO_THROW(trainer.fit(model, data));
  EXPECT_EQ(model.validated, 2);
  EXPECT_EQ(train_losses(model).size(), 8u);
}

TEST(Trainer, CopiesToTheHostOnceAnEpoch) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  WatchedRegression model;
  const SyntheticRegressionData data;
  Trainer trainer({.max_epochs = 1, .num_gpus = 1, .gradient_clip_val = 0.5});
  trainer.fit(model, data);
  const TransferLedger ledger;
  trainer.fit_epoch();
  trainer.fit_epoch();
  EXPECT_EQ(ledger.copies(Direction::device_to_host), 2);
  EXPECT_EQ(ledger.copied_bytes(Direction::device_to_host), 2 * 4 * (32 + 32));
  EXPECT_EQ(ledger.synchronisations(), 2);
  EXPECT_EQ(ledger.implicit_copies(), 0);
  EXPECT_EQ(ledger.copies(Direction::host_to_device), 2 * 2 * (32 + 32));
  // The only wait of an epoch is for the copy at its end.
  std::int64_t launches = 0;
  for (const auto& entry : ledger.entries()) {
    launches += entry.kind == LedgerEntry::Kind::launch && entry.queue.is_cuda() ? 1 : 0;
    if (entry.kind != LedgerEntry::Kind::synchronisation) continue;
    EXPECT_GT(launches, 32 * 5);
    launches = 0;
  }
  EXPECT_EQ(launches, 0);
}

/// All tensors of a model in training are on `device`, according to the driver.
void expect_all_on(const WatchedRegression& model, optim::SGD& optimizer, Device device) {
  ASSERT_EQ(model.parameters().size(), 2u);
  for (const Tensor& parameter : model.parameters()) {
    expect_on(device, parameter, parameter.grad(), optimizer.momentum_buffer(parameter));
  }
}

TEST(Trainer, EverythingOfTheModelIsWhereItWasSent) {
  WatchedRegression model(0.01, 0.9);
  const SyntheticRegressionData data({.num_train = 128, .num_val = 0});
  Trainer trainer({.max_epochs = 1, .num_gpus = one_gpu()});
  trainer.fit(model, data);
  auto& optimizer = dynamic_cast<optim::SGD&>(trainer.optimizer());
  expect_all_on(model, optimizer, try_gpu());
  for (const Device device : {try_gpu(1), cpu(), try_gpu()}) {
    model.to(device);
    expect_all_on(model, optimizer, device);
  }
  trainer.fit_epoch();
  expect_all_on(model, optimizer, try_gpu());
}

TEST(Trainer, TakesTheGpusThatThereAre) {
  for (const int asked : {0, 1, num_gpus(), num_gpus() + 1, 1000}) {
    ::testing::internal::CaptureStdout();
    const Trainer trainer({.num_gpus = asked});
    const auto said = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(trainer.gpus(), gpus(std::min(asked, num_gpus())));
    EXPECT_EQ(said.empty(), asked <= num_gpus());
    const auto words = "asked for " + std::to_string(asked) + (asked == 1 ? " GPU, found " : " GPUs, found ");
    if (said.empty()) continue;
    EXPECT_TRUE(said.starts_with(words + std::to_string(num_gpus()) + ": training on ")) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  }
  const Trainer as_the_book_has_it(5, 0, 0.5);
  EXPECT_EQ(as_the_book_has_it.options().max_epochs, 5);
  EXPECT_EQ(as_the_book_has_it.options().gradient_clip_val, 0.5);
}

TEST(Trainer, SaysALineAnEpoch) {
  WatchedRegression model;
  Trainer trainer({.max_epochs = 2});
  ::testing::internal::CaptureStdout();
  trainer.fit(model, SyntheticRegressionData());
  const auto said = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2);
  EXPECT_TRUE(said.starts_with("epoch 1/2  train_loss ")) << said;
  EXPECT_NE(said.find(", val_loss "), std::string::npos) << said;
  EXPECT_NE(said.find("\nepoch 2/2  train_loss "), std::string::npos) << said;
  EXPECT_EQ(said.find('\r'), std::string::npos);
}

TEST(Trainer, PreparesBatchesAndModels) {
  WatchedRegression model;
  Trainer trainer({.max_epochs = 7, .num_gpus = one_gpu()});
  const Batch batch{ones({4, 2}), ones({4, 1})};
  const Batch prepared = trainer.prepare_batch(batch);
  ASSERT_EQ(prepared.size(), 2u);
  for (const Tensor& tensor : prepared) EXPECT_EQ(owner(tensor), try_gpu());
  EXPECT_TRUE(trainer.prepare_batch(prepared)[0].is_same(prepared[0]));
  EXPECT_EQ(batch[0].device(), cpu());

  EXPECT_EQ(model.trainer(), nullptr);
  trainer.prepare_model(model);
  EXPECT_EQ(model.trainer(), &trainer);
  ASSERT_TRUE(model.board.xlim.has_value());
  EXPECT_EQ(model.board.xlim->low, 0);
  EXPECT_EQ(model.board.xlim->high, 7);
  // The parameters had no shape yet; they are created on the device of the model.
  static_cast<void>(model.forward(prepared[0]));
  EXPECT_EQ(owner(model.net->weight), try_gpu());
}

/// Records the device of its parameters when the optimizer is created.
class WatchingRegression : public WatchedRegression {
 public:
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    seen = net->weight.impl()->device();
    return WatchedRegression::configure_optimizers();
  }
  std::optional<Device> seen;
};

TEST(Trainer, MovesTheModelBeforeTheOptimizerIsMade) {
  WatchingRegression model;
  Trainer trainer({.max_epochs = 0, .num_gpus = one_gpu()});
  trainer.fit(model, SyntheticRegressionData());
  EXPECT_EQ(model.seen, try_gpu());
}

TEST(Trainer, ClipsGradients) {
  const TensorDataset one_batch{full({4, 1}, 100.0F), full({4, 1}, -1000.0F)};
  for (const int gpus : {0, one_gpu()}) {
    WatchedRegression model(1.0);
    Trainer trainer({.max_epochs = 1, .num_gpus = gpus, .gradient_clip_val = 0.25});
    trainer.fit(model, GivenData(one_batch));
    const auto w = model.net->weight.grad().to_vector<double>()[0];
    const auto b = model.net->bias.grad().to_vector<double>()[0];
    EXPECT_NEAR(std::hypot(w, b), 0.25, 1e-5);
  }
}

TEST(Trainer, AModelAndItsTrainerMayEndInAnyOrder) {
  const SyntheticRegressionData data({.num_train = 32, .num_val = 0});
  auto trainer = std::make_unique<Trainer>(1);
  {
    WatchedRegression model;
    trainer->fit(model, data);
    EXPECT_EQ(model.trainer(), trainer.get());
  }
  EXPECT_THROW(trainer->fit_epoch(), ValueError);
  WatchedRegression model;
  trainer->fit(model, data);
  WatchedRegression other;
  trainer->fit(other, data);
  EXPECT_EQ(model.trainer(), nullptr);
  Trainer second(1);
  second.fit(other, data);
  EXPECT_THROW(trainer->fit_epoch(), ValueError);
  EXPECT_EQ(other.trainer(), &second);
  trainer.reset();
  EXPECT_EQ(other.trainer(), &second);
}

TEST(Trainer, BeginsAnewWithEachFit) {
  const SyntheticRegressionData data({.num_train = 64, .num_val = 0});
  WatchedRegression model;
  Trainer trainer({.max_epochs = 2});
  trainer.fit(model, data);
  trainer.fit(model, data);
  EXPECT_EQ(train_losses(model).size(), 4u);
  EXPECT_EQ(trainer.train_batch_idx(), 4);
  EXPECT_EQ(model.board.lines().front().x.front(), 0);
  EXPECT_EQ(model.board.xlim->high, 2);
  trainer.fit_epoch();
  EXPECT_EQ(model.board.xlim->high, 3);
}

/// A model without parameters.
class Empty : public Model {
 public:
  Tensor forward(const Tensor& X) override { return X; }
  Tensor loss(const Tensor& prediction, const Tensor& y) override { return mse_loss(prediction, y); }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override { return nullptr; }
};
class Undecided : public WatchedRegression {
 public:
  std::unique_ptr<optim::Optimizer> configure_optimizers() override { return nullptr; }
};

TEST(Trainer, RefusesOptionsThatMakeNoSense) {
  expect_error<ValueError>([] { return Trainer(-1).epoch(); }, "max_epochs is -1");
  expect_error<ValueError>([] { return Trainer(1, -2).epoch(); }, "num_gpus is -2");
  expect_error<ValueError>([] { return Trainer(1, 0, -0.5).epoch(); }, "gradient_clip_val is -0.5");
  expect_error<ValueError>([] { return Trainer(1, 0, std::numeric_limits<double>::quiet_NaN()).epoch(); },
                           "gradient_clip_val is nan");
}

TEST(Trainer, RefusesWhatCannotBeTrained) {
  const SyntheticRegressionData data({.num_train = 32, .num_val = 0});
  Trainer trainer(1);
  expect_error<ValueError>([&] { trainer.fit_epoch(); }, "call fit(model, data) first");
  WatchedRegression model;
  const GivenData no_rows({ones({0, 2}), ones({0, 1})});
  expect_error<ValueError>([&] { trainer.fit(model, no_rows); }, "no training batch");
  Empty empty;
  expect_error<ValueError>([&] { trainer.fit(empty, data); }, "the model has no parameters (Empty)");
  Undecided undecided;
  expect_error<ValueError>([&] { trainer.fit(undecided, data); }, "configure_optimizers() returned null");
  const GivenData no_targets({ones({4, 2})});
  expect_error<ValueError>([&] { trainer.fit(model, no_targets); }, "the batch has 1 tensors, not inputs and targets");
  const Batch batch{ones({1, 2}), ones({1, 1})};
  expect_error<ValueError>([&] { return WatchedRegression().training_step(batch); }, "the model has no trainer");
  EXPECT_NO_THROW(trainer.fit(model, data));
}

TEST(Trainer, WithoutAGpuLeavesEverythingWhereItIs) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  WatchedRegression model;
  model.to(gpu(0));
  Trainer trainer(1);
  expect_error<DeviceError>([&] { trainer.fit(model, SyntheticRegressionData()); },
                            "Expected all tensors to be on the same device");
  const GivenData there({rand({64, 2}, gpu(0)), rand({64, 1}, gpu(0))});
  WatchedRegression neighbour;
  neighbour.to(gpu(0));
  trainer.fit(neighbour, there);
  EXPECT_EQ(owner(neighbour.net->weight), gpu(0));
}

}  // namespace
}  // namespace d2l::testing
