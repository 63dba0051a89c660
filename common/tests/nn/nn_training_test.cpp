// SPDX-License-Identifier: MIT
// A training loop of modules, data, an optimizer and clipping, on every device.
#include <cmath>

#include "backend/resident_memory.h"
#include "every_device.h"

namespace d2l {
namespace {

using testing::on_every_device;

/// Linear regression; the loss of every batch stays on the device until the end.
struct Regression {
  explicit Regression(Device where) : device(where) {
    manual_seed(2);
    model->to(device);
  }
  void step(const Batch& batch) {
    optimizer.zero_grad();
    const auto loss = criterion(model(batch[0]), batch[1]);
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 5.0);
    optimizer.step();
    losses.push_back(loss.detach());
  }
  void train(int epochs) {
    auto loader = data.train_dataloader();
    loader.to(device);
    for (int epoch = 0; epoch < epochs; ++epoch) {
      for (const auto& batch : loader) step(batch);
    }
  }

  Device device;
  SyntheticRegressionData data;
  nn::LazyLinear model{1};
  nn::MSELoss criterion;
  optim::SGD optimizer{model->parameters(), optim::SGDOptions(0.03).momentum(0.5)};
  std::vector<Tensor> losses;
};

TEST(Training, LearnsTheSameOnEveryDevice) {
  Regression reference(cpu());
  reference.train(3);
  const auto expected = stack(reference.losses).to_vector<float>();
  EXPECT_EQ(expected.size(), 3U * 32);
  std::vector<float> of_first_gpu;
  on_every_device([&](Device device) {
    Regression regression(device);
    regression.train(3);
    const auto losses = stack(regression.losses).to_vector<float>();
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(losses[i], expected[i], 1e-5 * std::abs(expected[i]) + 1e-6);
    }
    if (device.is_cuda() && of_first_gpu.empty()) of_first_gpu = losses;
    if (device.is_cuda()) {
      EXPECT_EQ(losses, of_first_gpu);
    }
    const auto weight = regression.model->weight.to_vector<double>();
    EXPECT_NEAR(weight[0], 2, 0.05);
    EXPECT_NEAR(weight[1], -3.4, 0.05);
    EXPECT_NEAR(regression.model->bias.item<double>(), 4.2, 0.05);
  });
}

TEST(Training, BringsNothingBackAndWaitsForNothing) {
  on_every_device([](Device device) {
    if (device.is_cpu()) return;
    Regression regression(device);
    regression.step({ones({2, 2}, device), ones({2, 1}, device)});  // gives the lazy layer its shape
    const TransferLedger ledger;
    const TransferGuard guard(TransferGuard::disallow);
    regression.train(1);
    EXPECT_EQ(ledger.copies(), 2 * 32);
    EXPECT_EQ(ledger.copies(Direction::host_to_device), 2 * 32);
    EXPECT_EQ(ledger.synchronisations(), 0);
  });
}

TEST(Training, LeaksNothingInTenThousandSteps) {
  on_every_device([](Device device) {
    if (device.index() > 0) return;
    Regression regression(device);
    const Batch batch{randn({32, 2}, device), randn({32, 1}, device)};
    const auto some_steps = [&](int count) {
      for (int i = 0; i < count; ++i) {
        regression.step(batch);
        regression.losses.clear();
      }
      synchronize();
    };
    some_steps(1000);
    const auto live = testing::live_memory(device);
    const auto resident = testing::resident_bytes();
    some_steps(10'000);
    EXPECT_EQ(testing::live_memory(device).bytes, live.bytes);
    EXPECT_EQ(testing::live_memory(device).blocks, live.blocks);
    if (!testing::sanitized) {
      EXPECT_LT(testing::resident_bytes() - resident, 4 << 20);
    }
  });
}

}  // namespace
}  // namespace d2l
