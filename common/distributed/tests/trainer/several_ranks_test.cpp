// SPDX-License-Identifier: MIT
// A trainer in a process group: the devices of all ranks divide the batches, and training is that of one device.
#include <filesystem>
#include <mutex>

#include "d2l/data.h"
#include "d2l/trainer.h"
#include "distributed/ranks.h"
#include "temporary_folder.h"
#include "trainer/exact_training.h"

namespace d2l::testing {
namespace {

/// Weight, bias and the points of the board of one rank.
struct Result {
  std::vector<double> weight;
  std::vector<double> bias;
  std::vector<double> losses;
  bool operator==(const Result&) const = default;
};

struct ExactDataWithValidation : ExactData {
  using ExactData::ExactData;
  [[nodiscard]] std::optional<DataLoader> val_dataloader() const override { return train_dataloader(); }
};

Result result_of(const Exact& model) {
  Result result{
      model.net->weight.detach().cpu().to_vector<double>(), model.net->bias.detach().cpu().to_vector<double>(), {}};
  for (const auto& line : model.board.lines()) result.losses.insert(result.losses.end(), line.y.begin(), line.y.end());
  return result;
}

Result train(const TrainerOptions& options, std::int64_t batch_size = 8) {
  Exact model;
  model.plot_train_per_epoch = 100;
  Trainer trainer(options);
  trainer.fit(model, ExactDataWithValidation(batch_size));
  return result_of(model);
}

/// The results of ranks that are threads.
std::vector<Result> train_ranks(int ranks, const TrainerOptions& options, std::int64_t batch_size = 8) {
  std::vector<Result> results(static_cast<std::size_t>(ranks));
  dist::run_ranks(ranks, [&](int rank) { results[static_cast<std::size_t>(rank)] = train(options, batch_size); });
  return results;
}

class SeveralRanks : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
};

TEST_F(SeveralRanks, TrainAsOneDeviceToTheBit) {
  const auto expected = train({.max_epochs = 2});
  ASSERT_EQ(expected.losses.size(), 6U);
  for (const int ranks : {2, 4}) {
    for (const int each : {0, 1, 2}) {
      if (each > num_gpus()) continue;
      for (const auto& result : train_ranks(ranks, {.max_epochs = 2, .num_gpus = each})) {
        EXPECT_EQ(result, expected) << ranks << " ranks, " << each << " GPUs each";
      }
    }
  }
}

TEST_F(SeveralRanks, TrainAsOneUnderDelays) {
  if (num_gpus() < 2) GTEST_SKIP() << "there are fewer than 2 GPUs";
  const auto expected = train({.max_epochs = 1});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    set_delays(seed);
    for (const auto& result : train_ranks(2, {.max_epochs = 1, .num_gpus = 2})) EXPECT_EQ(result, expected) << seed;
  }
  set_delays(std::nullopt);
}

TEST_F(SeveralRanks, MayHaveNoRowsOfABatch) {
  for (const std::int64_t batch_size : {5, 1}) {
    const auto expected = train({.max_epochs = 1}, batch_size);
    for (const auto& result : train_ranks(4, {.max_epochs = 1}, batch_size)) {
      ASSERT_EQ(result.losses.size(), expected.losses.size());
      for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        EXPECT_NEAR(result.losses[i], expected.losses[i], 1e-9);
      }
      for (std::size_t i = 0; i < expected.weight.size(); ++i) {
        EXPECT_NEAR(result.weight[i], expected.weight[i], 1e-9);
      }
    }
  }
}

TEST_F(SeveralRanks, BeginWithTheParametersOfRank0) {
  const auto expected = train({.max_epochs = 1});
  dist::run_ranks(2, [&](int rank) {
    Exact model;
    if (rank == 1) {
      const NoGradGuard unrecorded;
      model.net->weight.fill_(7);
    }
    model.plot_train_per_epoch = 100;
    Trainer trainer({.max_epochs = 1});
    trainer.fit(model, ExactDataWithValidation(8));
    EXPECT_EQ(result_of(model), expected) << rank;
  });
}

/// A model with batch normalisation, which notes the running mean that each training step finds.
struct Normalised : Exact {
  Normalised() { norm = register_module("norm", nn::BatchNorm1d(2)), norm->to(kDouble); }
  Tensor forward(const Tensor& x) override {
    found.push_back(norm->running_mean.to_vector<double>());
    return norm->forward(Exact::forward(x));
  }
  std::shared_ptr<nn::BatchNorm1dImpl> norm;
  std::vector<std::vector<double>> found;
};

TEST_F(SeveralRanks, HaveTheBuffersOfRank0BeforeEachStep) {
  std::vector<std::vector<std::vector<double>>> found(2);
  std::vector<std::vector<double>> left(2);
  dist::run_ranks(2, [&](int rank) {
    Normalised model;
    Trainer trainer({.max_epochs = 1});
    trainer.fit(model, ExactData(8));
    found[static_cast<std::size_t>(rank)] = model.found;
    left[static_cast<std::size_t>(rank)] = model.norm->running_mean.to_vector<double>();
  });
  ASSERT_EQ(found[0].size(), 2U);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NE(found[0][1], found[0][0]);
  EXPECT_NE(left[0], left[1]);  // of the last batch, each has its own
}

/// Uses a parameter for rows of the second half of a batch alone.
struct Branching : Exact {
  Branching() { side = register_parameter("side", full({1}, 1.0, kDouble)); }
  Tensor training_step(const Batch& batch) override {
    const Tensor result = Exact::training_step({batch[0], batch[1]});
    const auto marked = batch[2].sum().item<double>();
    return marked == 0 ? result : result + side.sum() * (marked / static_cast<double>(batch[2].size(0)));
  }
  Tensor side;
};

struct MarkedData : DataModule {
  [[nodiscard]] DataLoader train_dataloader() const override {
    const auto tensors = ExactData(8).train_dataloader().dataset().tensors();
    const Tensor marks = (arange(16).remainder(8) >= 4).to(kDouble);
    return DataLoader(TensorDataset({tensors[0], tensors[1], marks}), DataLoaderOptions(8));
  }
};

TEST_F(SeveralRanks, UpdateAParameterThatOneOfThemHasUsed) {
  const auto side_after = [] {
    Branching model;
    Trainer({.max_epochs = 1}).fit(model, MarkedData());
    return model.side.item<double>();
  };
  const double expected = side_after();
  EXPECT_NE(expected, 1);
  dist::run_ranks(2, [&](int rank) { EXPECT_EQ(side_after(), expected) << rank; });
}

TEST_F(SeveralRanks, MustHaveTheSameModelAndNoSampler) {
  expect_error<DistributedError>(
      [] {
        dist::run_ranks(2, [](int rank) {
          Exact model;
          if (rank == 1) model.net->to(kFloat);
          Trainer({.max_epochs = 1}).fit(model, ExactData(8));
        });
      },
      "the ranks' parameters or buffers differ");
  expect_error<DistributedError>(
      [] {
        dist::run_ranks(2, [](int rank) {
          struct Shorter : ExactData {
            using ExactData::ExactData;
            [[nodiscard]] DataLoader train_dataloader() const override {
              const auto tensors = ExactData::train_dataloader().dataset().tensors();
              return DataLoader(TensorDataset({tensors[0].narrow(0, 0, 8), tensors[1].narrow(0, 0, 8)}),
                                DataLoaderOptions(size));
            }
          };
          Exact model;
          rank == 0 ? Trainer({.max_epochs = 1}).fit(model, ExactData(8))
                    : Trainer({.max_epochs = 1}).fit(model, Shorter(8));
        });
      },
      "the ranks' data differ");
  struct Sampled : ExactData {
    using ExactData::ExactData;
    [[nodiscard]] DataLoader train_dataloader() const override {
      return DataLoader(ExactData::train_dataloader().dataset(), DataLoaderOptions(4).sampler({}));
    }
  };
  expect_error<ValueError>(
      [] {
        dist::run_ranks(2, [](int /*rank*/) {
          Exact model;
          Trainer({.max_epochs = 1}).fit(model, Sampled(8));
        });
      },
      "the data has a sampler");
}

TEST(Checkpoints, LetTrainingGoOnToTheSameBits) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "training.safetensors";
  const auto expected = train({.max_epochs = 4});
  train({.max_epochs = 2, .checkpoint = path});
  const auto found = train({.max_epochs = 4, .checkpoint = path});
  EXPECT_EQ(found.weight, expected.weight);
  EXPECT_EQ(found.bias, expected.bias);
  EXPECT_EQ(found.losses.size(), expected.losses.size() / 2);                 // the board begins again
  EXPECT_EQ(train({.max_epochs = 4, .checkpoint = path}).losses.size(), 0U);  // nothing is left to do
}

/// Throws in a given step.
struct Stopping : Exact {
  Tensor training_step(const Batch& batch) override {
    if (--left < 0) throw ValueError("stop");
    return Exact::training_step(batch);
  }
  int left = 5;
};

TEST(Checkpoints, MayBeInTheMiddleOfAnEpoch) {
  const tests::TemporaryFolder folder;
  const TrainerOptions options{.max_epochs = 3, .checkpoint = folder / "c.safetensors", .checkpoint_every_n_steps = 1};
  Stopping model;
  EXPECT_THROW(Trainer(options).fit(model, ExactData(4)), ValueError);
  const auto expected = train({.max_epochs = 3}, 4);
  const auto found = train(options, 4);
  EXPECT_EQ(found.weight, expected.weight);
  EXPECT_EQ(found.bias, expected.bias);
}

TEST(Checkpoints, AreReadByAnotherNumberOfRanksAndGpus) {
  SKIP_WITHOUT_GLOO();
  const tests::TemporaryFolder folder;
  const auto expected = train({.max_epochs = 3});
  const int each = std::min(num_gpus(), 2);
  for (const int ranks : {1, 2, 4}) {
    const std::string path = folder / std::to_string(ranks);
    train_ranks(ranks, {.max_epochs = 1, .num_gpus = each, .checkpoint = path});
    for (const int others : {1, 2, 4}) {
      const std::string copy = path + "_" + std::to_string(others);
      std::filesystem::copy(path, copy);
      for (const auto& result : train_ranks(others, {.max_epochs = 3, .num_gpus = each, .checkpoint = copy})) {
        EXPECT_EQ(result.weight, expected.weight) << ranks << " then " << others;
        EXPECT_EQ(result.bias, expected.bias);
      }
    }
  }
}

TEST(Checkpoints, ThatDoNotFitAreErrorsAndStay) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "c";
  train({.max_epochs = 1, .checkpoint = path});
  expect_error<ValueError>([&] { train({.max_epochs = 2, .checkpoint = path}, 1); }, "an epoch has 16 now");
  expect_error<ConfigurationError>([&] { train({.checkpoint = folder.path().string()}); }, folder.path().string());
  {
    Normalised other;
    Trainer trainer({.max_epochs = 2, .checkpoint = path});
    EXPECT_THROW(trainer.fit(other, ExactData(8)), Error);
  }
  optim::SGD unrelated({ones({2})}, 0.1);
  save(unrelated, folder / "o");
  expect_error<ConfigurationError>([&] { train({.checkpoint = folder / "o"}); }, "has no parameters of a model");
  EXPECT_EQ(train({.max_epochs = 1, .checkpoint = path}).losses.size(), 0U);
  expect_error<ValueError>([] { return Trainer({.checkpoint_every_n_steps = -1}).epoch(); },
                           "checkpoint_every_n_steps is -1");
}

TEST(Samplers, GiveEachRankAsManyExamplesAsPyTorch) {
  const TensorDataset ten({arange(10)});
  const auto order = [&](int replicas, int rank, bool drop) {
    return DataLoader(ten, DataLoaderOptions(2).sampler({replicas, rank, drop})).order(0);
  };
  using Order = std::vector<std::int64_t>;
  EXPECT_EQ(order(3, 0, false), (Order{0, 3, 6, 9}));
  EXPECT_EQ(order(3, 1, false), (Order{1, 4, 7, 0}));
  EXPECT_EQ(order(3, 2, false), (Order{2, 5, 8, 1}));
  EXPECT_EQ(order(3, 2, true), (Order{2, 5, 8}));
  EXPECT_EQ(order(25, 24, false), (Order{4}));
  EXPECT_EQ(DataLoader(ten, DataLoaderOptions(3).sampler({3, 0})).size(), 2);
  std::vector<bool> seen(10);
  for (int rank = 0; rank < 4; ++rank) {
    const DataLoader loader(ten, DataLoaderOptions(2).shuffle(true).seed(7).sampler({4, rank}));
    for (const auto i : loader.order(3)) seen[static_cast<std::size_t>(i)] = true;
    EXPECT_NE(loader.order(3), loader.order(4));
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 10);
  expect_error<ValueError>([&] { order(3, 3, false); }, "Invalid rank 3, rank should be in the interval [0, 2]");
  expect_error<ValueError>([&] { order(0, 0, false); }, "num_replicas is 0");
  EXPECT_THROW(DataLoader(ten, DataLoaderOptions(2).sampler({})), ValueError);  // no process group
}

}  // namespace
}  // namespace d2l::testing
