// SPDX-License-Identifier: MIT
// Datasets, batches and their copies to a device.
#include "d2l/data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "every_device.h"

namespace d2l::testing {
namespace {

using Kind = LedgerEntry::Kind;

TensorDataset numbered(std::int64_t count, Device device = cpu()) {
  const auto x = arange(count, device);
  return {x, (x * 10).view({count, 1}).expand({count, 2})};
}

std::vector<double> numbers_of(DataLoader& loader) {
  std::vector<double> numbers;
  for (const auto& batch : loader) {
    const auto values = batch[0].to_vector<double>();
    numbers.insert(numbers.end(), values.begin(), values.end());
  }
  return numbers;
}

TEST(TensorDataset, HasAnExampleForEachRow) {
  on_every_device([](Device device) {
    const auto dataset = numbered(5, device);
    EXPECT_EQ(dataset.size(), 5);
    expect_tensor(dataset.get(3)[0], {}, {3});
    expect_tensor(dataset.get(-1)[1], {2}, {40, 40});
    const auto batch = dataset.get_batch({4, 0, 4});
    expect_tensor(batch[0], {3}, {4, 0, 4});
    expect_tensor(batch[1], {3, 2}, {40, 40, 0, 0, 40, 40});
    EXPECT_TRUE(placed(batch[1]) && batch[1].device() == device);
    expect_tensor(dataset.get_batch({1, 2})[1], {2, 2}, {10, 10, 20, 20});
    EXPECT_EQ(dataset.get_batch(Sizes{})[1].sizes().vec(), (Sizes{0, 2}));
    for (const std::int64_t index : {5L, -6L}) {
      expect_error<IndexError>([&] { return dataset.get(index).size(); }, "out of range");
    }
    for (const std::int64_t index : {5L, -1L}) {
      expect_error<IndexError>([&] { return dataset.get_batch({0, index}).size(); }, "is out of bounds");
    }
  });
}

TEST(TensorDataset, RefusesTensorsThatDoNotFit) {
  expect_error<ShapeError>([] { return TensorDataset(list(ones({3}), ones(list(4, 3)))); },
                           "Size mismatch between tensors");
  expect_error<ValueError>([] { return TensorDataset(std::vector<Tensor>()).size(); }, "at least one tensor");
  expect_error<ShapeError>([] { return TensorDataset{ones({})}.size(); }, "without dimensions");
  expect_error<ValueError>([] { return TensorDataset{Tensor()}.size(); }, "undefined");
}

TEST(DataLoader, CutsTheExamplesIntoBatches) {
  on_every_device([](Device device) {
    for (const std::int64_t count : {0, 1, 3, 4, 10}) {
      for (const bool shuffle : {false, true}) {
        for (const bool drop_last : {false, true}) {
          DataLoader loader(numbered(count), DataLoaderOptions(4).shuffle(shuffle).drop_last(drop_last).device(device));
          std::vector<std::int64_t> sizes;
          std::vector<double> seen;
          for (const auto& batch : loader) {
            ASSERT_EQ(batch.size(), 2U);
            expect_on(device, batch[0], batch[1]);
            sizes.push_back(batch[0].size(0));
            const auto numbers = batch[0].to_vector<double>();
            const auto tens = batch[1].to_vector<double>();
            for (std::size_t i = 0; i < numbers.size(); ++i) {
              EXPECT_EQ(tens[2 * i], 10 * numbers[i]);
              EXPECT_EQ(tens[2 * i + 1], 10 * numbers[i]);
            }
            seen.insert(seen.end(), numbers.begin(), numbers.end());
          }
          Sizes expected(static_cast<std::size_t>(count / 4), 4);
          if (count % 4 != 0 && !drop_last) expected.push_back(count % 4);
          EXPECT_EQ(sizes, expected);
          EXPECT_EQ(loader.size(), static_cast<std::int64_t>(expected.size()));
          EXPECT_TRUE(shuffle || std::is_sorted(seen.begin(), seen.end()));
          EXPECT_EQ(std::set<double>(seen.begin(), seen.end()).size(), seen.size());
          EXPECT_EQ(static_cast<std::int64_t>(seen.size()), drop_last ? count / 4 * 4 : count);
        }
      }
    }
  });
}

TEST(DataLoader, ShufflesBySeedAndEpochTheSameEverywhere) {
  // The order of seed 7 in its first two epochs, on every machine.
  const DataLoader reference(numbered(8), DataLoaderOptions(3).shuffle(true).seed(7));
  const auto first = reference.order(0);
  const auto second = reference.order(1);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, (Sizes{1, 6, 2, 0, 7, 4, 3, 5}));
  EXPECT_EQ(second, (Sizes{6, 0, 5, 2, 4, 7, 3, 1}));
  on_every_device([&](Device device) {
    manual_seed(1);
    const auto expected = rand({4}).to_vector<float>();
    manual_seed(1);
    DataLoader loader(numbered(8), DataLoaderOptions(3).shuffle(true).seed(7).device(device));
    EXPECT_EQ(numbers_of(loader), std::vector<double>(first.begin(), first.end()));
    EXPECT_EQ(numbers_of(loader), std::vector<double>(second.begin(), second.end()));
    loader.set_epoch(0);
    EXPECT_EQ(numbers_of(loader), std::vector<double>(first.begin(), first.end()));
    EXPECT_EQ(rand({4}).to_vector<float>(), expected);  // the order does not use the global generator
  });
  EXPECT_NE(DataLoader(numbered(8), DataLoaderOptions(3).shuffle(true).seed(8)).order(0), first);
}

TEST(DataLoader, ShufflesEveryOrderAlike) {
  constexpr int trials = 6000;
  std::vector<std::vector<int>> counts(4, std::vector<int>(4));
  std::set<Sizes> orders;
  DataLoader loader(numbered(4), DataLoaderOptions(1).shuffle(true));
  for (std::uint64_t epoch = 0; epoch < trials; ++epoch) {
    const auto order = loader.order(epoch);
    orders.insert(order);
    for (std::size_t place = 0; place < 4; ++place) ++counts[place][static_cast<std::size_t>(order[place])];
  }
  EXPECT_EQ(orders.size(), 24U);
  for (const auto& row : counts) {
    for (const int count : row) EXPECT_NEAR(count, trials / 4.0, 5 * std::sqrt(trials * 3.0 / 16));
  }
}

TEST(DataLoader, RefusesBatchesWithoutExamples) {
  expect_error<ValueError>([] { return DataLoader(numbered(3), 0).size(); },
                           "batch_size should be a positive integer value, but got batch_size=0");
  expect_error<ValueError>([] { return DataLoader(numbered(3), -2).size(); },
                           "batch_size should be a positive integer value, but got batch_size=-2");
  DataLoader loader(numbered(3), DataLoaderOptions(2).device(gpu(100)));
  EXPECT_THROW(static_cast<void>(loader.begin()), DeviceError);
}

TEST(DataLoader, SendsBatchesAheadWithoutWaiting) {
  on_every_device([](Device device) {
    if (device.is_cpu()) return;
    for (const bool shuffle : {false, true}) {
      DataLoader loader(numbered(10), DataLoaderOptions(4).shuffle(shuffle));
      loader.to(device);
      std::vector<Batch> kept;
      const TransferLedger ledger;
      const TransferGuard guard(TransferGuard::disallow);
      int batches = 0;
      for (const auto& batch : loader) {
        ++batches;
        const int sent = std::min(batches + 1, 3);
        EXPECT_EQ(ledger.copies(Direction::host_to_device), 2 * sent);  // the copy of the next one is issued
        kept.push_back(batch);
      }
      EXPECT_EQ(batches, 3);
      EXPECT_EQ(ledger.copies(), 6);
      EXPECT_EQ(ledger.copied_bytes(), 10 * 3 * 8);
      EXPECT_EQ(ledger.implicit_copies(), 0);
      EXPECT_EQ(ledger.synchronisations(), 0);
      for (const auto& entry : ledger.entries()) {
        EXPECT_FALSE(entry.kind == Kind::copy && entry.staged);  // from pinned memory
      }
    }
  });
}

TEST(DataLoader, GoesOnWhileTheDeviceIsHeldUp) {
  on_every_device([](Device device) {
    if (device.is_cpu()) return;
    DataLoader loader(numbered(64), DataLoaderOptions(2).shuffle(true).seed(3).device(device));
    std::vector<Batch> batches;
    {
      const HeldQueue held(device);
      const TransferLedger ledger;
      for (const auto& batch : loader) batches.push_back(batch);  // its pinned memory is released meanwhile
      EXPECT_EQ(ledger.synchronisations(), 0);
    }
    const auto order = loader.order(0);
    ASSERT_EQ(batches.size(), 32U);
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const std::vector<double> expected{static_cast<double>(order[2 * i]), static_cast<double>(order[2 * i + 1])};
      EXPECT_EQ(batches[i][0].to_vector<double>(), expected);
    }
  });
}

TEST(DataLoader, ExamplesThatAreThereCrossNothing) {
  on_every_device([](Device device) {
    DataLoader loader(numbered(6, device), DataLoaderOptions(3));
    const TransferLedger ledger;
    for (auto it = loader.begin(); it != loader.end(); ++it) {
      EXPECT_EQ((*it)[0].device(), device);
      EXPECT_EQ(it->size(), 2U);
    }
    EXPECT_EQ(ledger.copies(), 0) << ledger.summary();
    EXPECT_EQ(ledger.synchronisations(), 0) << ledger.summary();
  });
}

TEST(DataLoader, IteratorsOutliveTheirLoader) {
  auto iterator = DataLoader(numbered(4), 2).begin();
  expect_tensor((*iterator)[0], {2}, {0, 1});
  auto copy = iterator;
  ++iterator;
  expect_tensor((*iterator)[0], {2}, {2, 3});
  ++iterator;
  EXPECT_TRUE(iterator == std::default_sentinel);
  ++copy;
  expect_tensor((*copy)[0], {2}, {2, 3});
}

TEST(SyntheticRegressionData, FollowsItsFormula) {
  const SyntheticRegressionData data;
  EXPECT_EQ(repr(data.w), "tensor([ 2.0000, -3.4000])");
  EXPECT_EQ(data.b, 4.2);
  EXPECT_EQ(data.X.sizes().vec(), (Sizes{2000, 2}));
  EXPECT_EQ(data.y.sizes().vec(), (Sizes{2000, 1}));
  const auto noise = data.y - data.X.matmul(data.w).view({2000, 1}) - data.b;
  EXPECT_NEAR(noise.mean().item<double>(), 0, 0.001);
  EXPECT_NEAR(noise.norm().item<double>() / std::sqrt(2000.0), 0.01, 0.001);
  EXPECT_NEAR(data.X.mean().item<double>(), 0, 0.05);
  EXPECT_NEAR(data.X.norm().item<double>() / std::sqrt(4000.0), 1, 0.05);
}

TEST(SyntheticRegressionData, IsTheSameForTheSameSeed) {
  SyntheticRegressionOptions options{.num_train = 6, .num_val = 3, .batch_size = 4, .seed = 42};
  manual_seed(42);
  const auto expected = randn({9, 2});
  const SyntheticRegressionData data(options);
  EXPECT_TRUE(data.X.equal(expected));
  EXPECT_TRUE(data.y.equal(SyntheticRegressionData(options).y));
  options.seed = 43;
  EXPECT_FALSE(data.y.equal(SyntheticRegressionData(options).y));

  auto train = data.train_dataloader();
  EXPECT_EQ(train.size(), 2);
  EXPECT_EQ(train.dataset().size(), 6);
  EXPECT_TRUE(train.options().shuffle());
  auto validation = data.val_dataloader();
  ASSERT_TRUE(validation);
  EXPECT_EQ(validation->size(), 1);
  expect_tensor((*validation->begin())[1], {3, 1}, data.y.slice(0, 6).to_vector<double>());
  options.num_val = 0;
  EXPECT_FALSE(SyntheticRegressionData(options).val_dataloader());

  const SyntheticRegressionData exact(tensor({1.0, 2.0, 3.0}), -1, {.noise = 0});
  EXPECT_TRUE(exact.y.allclose(exact.X.matmul(tensor({1.0, 2.0, 3.0})).view({2000, 1}) - 1, 1e-5, 1e-5));
}

TEST(DataLoader, WhatIsDoneToABatchIsNotDoneToTheData) {
  for (const Device device : every_device()) {
    const Tensor data = arange(6, TensorOptions(device).dtype(kFloat)).view({6, 1});
    DataLoader loader(TensorDataset({data}), DataLoaderOptions(4));
    for (Batch& batch : loader) batch[0].zero_();
    expect_tensor(data, {6, 1}, {0, 1, 2, 3, 4, 5});
  }
}

TEST(SyntheticRegressionData, RefusesWhatMakesNoSense) {
  expect_error<ValueError>([] { return SyntheticRegressionData(ones({2, 1}), 0).b; }, "w must have one dimension");
  expect_error<ValueError>([] { return SyntheticRegressionData(ones({0}), 0).b; }, "w must have one dimension");
  expect_error<ValueError>([] { return SyntheticRegressionData({.num_train = 0}).b; }, "examples: 0 for training");
  expect_error<ValueError>([] { return SyntheticRegressionData({.num_val = -1}).b; },
                           "examples: 1000 for training and -1");
  expect_error<ValueError>([] { return SyntheticRegressionData({.num_val = INT64_MAX / 2}).b; },
                           "do not fit into memory");
  expect_error<ValueError>([] { return SyntheticRegressionData({.batch_size = 0}).train_dataloader().size(); },
                           "batch_size should be a positive integer");
}

}  // namespace
}  // namespace d2l::testing
