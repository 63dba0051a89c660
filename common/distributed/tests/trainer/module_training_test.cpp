// SPDX-License-Identifier: MIT
// A training loop of modules, data, an optimizer and clipping, on every device.
#include <cmath>

#include "d2l/linear_regression.h"
#include "every_device.h"

namespace d2l::testing {
namespace {

/// Trains a linear regression for three epochs. The loss of every batch stays on the device until the end.
std::vector<float> losses_of_module(const nn::LazyLinear& model, Device device) {
  const SyntheticRegressionData data;
  manual_seed(2);
  model->to(device);
  optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.03).momentum(0.5));
  auto loader = data.train_dataloader();
  loader.to(device);
  std::vector<Tensor> losses;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (const auto& batch : loader) {
      optimizer.zero_grad();
      const auto loss = nn::MSELoss()(model(batch[0]), batch[1]);
      loss.backward();
      nn::utils::clip_grad_norm_(model->parameters(), 5.0);
      optimizer.step();
      losses.push_back(loss.detach());
    }
  }
  return stack(losses).to_vector<float>();
}

TEST(Training, LearnsTheSameOnEveryDevice) {
  const auto expected = losses_of_module(nn::LazyLinear(1), cpu());
  EXPECT_EQ(expected.size(), 3U * 32);
  std::vector<float> of_first_gpu;
  on_every_device([&](Device device) {
    const nn::LazyLinear model(1);
    const auto losses = losses_of_module(model, device);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(losses[i], expected[i], 1e-5 * std::abs(expected[i]) + 1e-6);
    }
    if (device.is_cuda() && of_first_gpu.empty()) of_first_gpu = losses;
    if (device.is_cuda()) {
      EXPECT_EQ(losses, of_first_gpu);
    }
    const auto weight = model->weight.to_vector<double>();
    EXPECT_NEAR(weight[0], 2, 0.05);
    EXPECT_NEAR(weight[1], -3.4, 0.05);
    EXPECT_NEAR(model->bias.item<double>(), 4.2, 0.05);
  });
}

}  // namespace
}  // namespace d2l::testing
