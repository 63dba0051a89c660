// SPDX-License-Identifier: MIT
// accuracy() and Accumulator.
#include "d2l/metrics.h"

#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(Accuracy, CountsTheLargestScores) {
  on_every_device([](Device device) {
    const auto scores = tensor({{0.1, 0.3, 0.6}, {0.3, 0.2, 0.5}, {0.9, 0.0, 0.1}}, device);
    const auto right = accuracy(scores, tensor({2, 0, 0}, device));
    EXPECT_EQ(right.dtype(), kLong);
    expect_tensor(right, {}, {2});
    expect_on(device, right);
    expect_tensor(accuracy(scores.view({1, 3, 3}), tensor({{2, 2, 0}}, device)), {}, {3});
    expect_tensor(accuracy(scores, tensor({2.0, 0.0, 1.0}, device)), {}, {1});
    expect_tensor(accuracy(zeros({0, 3}, device), zeros({0}, TensorOptions(kLong).device(device))), {}, {0});
  });
}

TEST(Accuracy, ComparesRoundedNumbers) {
  on_every_device([](Device device) {
    const auto numbers = tensor({0.2, 0.7, 1.6}, device);
    expect_tensor(accuracy(numbers, tensor({0, 1, 1}, device)), {}, {2});
    expect_tensor(accuracy(numbers.view({3, 1}), tensor({0, 1, 2}, device)), {}, {3});
    auto leaf = ones({2}, device);
    leaf.requires_grad_();
    EXPECT_EQ(accuracy(leaf, tensor({1, 1}, device)).grad_fn(), nullptr);
  });
}

TEST(Accuracy, RefusesWhatDoesNotFit) {
  expect_error<ShapeError>([] { return accuracy(ones(list(2, 3)), ones({3})); },
                           "predictions of shape [2, 3] do not fit targets of shape [3]");
  expect_error<ShapeError>([] { return accuracy(ones({2, 0}), ones({2})); }, "do not fit");
  expect_error<ValueError>([] { return accuracy(Tensor(), ones({3})); }, "undefined");
  expect_error<ValueError>([] { return accuracy(ones({3}), Tensor()); }, "undefined");
}

TEST(Accumulator, AddsNumbersAndTensors) {
  on_every_device([](Device device) {
    Accumulator metric(3);
    EXPECT_EQ(metric.size(), 3U);
    EXPECT_EQ(metric[0], 0);
    auto loss = tensor(0.5, device);
    loss.requires_grad_();
    for (int i = 0; i < 4; ++i) metric.add(loss * 2, tensor({3}, device), 10);
    metric.add(1.5, 1, true);
    EXPECT_EQ(metric[0], 5.5);
    EXPECT_EQ(metric[1], 13);
    EXPECT_EQ(metric[-1], 41);
    metric.reset();
    EXPECT_EQ(metric[0] + metric[1] + metric[2], 0);
    auto written = tensor({16777216}, device);
    metric.add(written, 0, 0);
    written.fill_(1);
    metric.add(written, 0, 0);
    EXPECT_EQ(metric[0], 16777217) << "sums in float64, of what was there";
  });
}

TEST(Accumulator, NeitherCopiesNorWaitsBeforeItIsRead) {
  if (num_gpus() == 0) GTEST_SKIP() << "needs a GPU";
  const auto device = gpu(0);
  const auto scores = randn({100, 10}, device);
  const auto classes = zeros({100}, TensorOptions(kLong).device(device));
  const TransferLedger ledger;
  Accumulator metric(3);
  for (int i = 0; i < 5; ++i) {
    const auto loss = cross_entropy_loss(scores, classes);
    metric.add(loss * 100, accuracy(scores, classes), 100);
  }
  EXPECT_EQ(ledger.copies(), 0) << ledger.summary();
  EXPECT_EQ(ledger.synchronisations(), 0) << ledger.summary();
  EXPECT_EQ(metric[2], 500);
  EXPECT_EQ(ledger.copies(Direction::device_to_host), 0) << "a sum of numbers is on the host";
  EXPECT_GT(metric[0], 0);
  EXPECT_EQ(ledger.copies(Direction::device_to_host), 1);
}

TEST(Accumulator, RefusesWhatDoesNotFit) {
  expect_error<ValueError>([] { return Accumulator(-1).size(); }, "an accumulator cannot have -1 sums");
  Accumulator metric(2);
  const auto add = [&](const auto&... values) {
    metric.add(values...);
    return 0;
  };
  expect_error<ValueError>([&] { return add(1); }, "1 values cannot be added to 2 sums");
  expect_error<ShapeError>([&] { return add(1, ones({2})); }, "a tensor with 2 elements cannot be added to a sum");
  expect_error<ValueError>([&] { return add(1, Tensor()); }, "undefined");
  EXPECT_EQ(metric[0], 0) << "nothing is added when one value does not fit";
  expect_error<IndexError>([&] { return metric[2]; }, "index 2 is out of range of 2 sums");
  expect_error<IndexError>([&] { return metric[-3]; }, "index -3 is out of range of 2 sums");
}

}  // namespace
}  // namespace d2l::testing
