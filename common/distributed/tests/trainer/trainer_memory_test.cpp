// SPDX-License-Identifier: MIT
// The memory of a training does not grow with its length.
#include <cstdint>

#include "backend/resident_memory.h"
#include "d2l/linear_regression.h"
#include "d2l/trainer.h"
#include "every_device.h"
#include "trainer/watched_regression.h"

namespace d2l::testing {
namespace {

/// A linear regression with momentum and two layers.
class Perceptron : public Model {
 public:
  Perceptron() { register_module("net", net); }
  Tensor forward(const Tensor& X) override { return net(X); }
  Tensor loss(const Tensor& prediction, const Tensor& y) override { return mse_loss(prediction, y); }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(), optim::SGDOptions(0.01).momentum(0.9).weight_decay(1e-4));
  }
  nn::Sequential net{nn::LazyLinear(8), nn::ReLU(), nn::LazyLinear(1)};
};

void expect_flat_memory(int gpus) {
  constexpr std::int64_t steps_each = 10;  // few, so that the host cannot run far ahead of a slow device
  const SyntheticRegressionData data({.num_train = 32 * steps_each, .num_val = 32});
  Perceptron model;
  Trainer trainer({.max_epochs = 100, .num_gpus = gpus, .gradient_clip_val = 1});
  ::testing::internal::CaptureStdout();
  trainer.fit(model, data);  // warms up the pools
  const Device device = gpus > 0 ? gpu(0) : cpu();
  synchronize();
  const auto reserved_before = memory_info(device).reserved;
  const auto resident_before = resident_bytes();
  expect_no_leak(device, [&] {
    for (int epoch = 0; epoch < 10'000 / steps_each; ++epoch) trainer.fit_epoch();
    synchronize();
  });
  const auto resident_after = resident_bytes();
  ::testing::internal::GetCapturedStdout();

  EXPECT_EQ(trainer.train_batch_idx(), 11'000);
  if (gpus > 0) {
    EXPECT_EQ(memory_info(device).reserved, reserved_before);
  }
  if (!sanitized) {
    EXPECT_LT(resident_after - resident_before, 1 << 20);
  }
}

TEST(TrainerMemory, IsFlatOnTheCpu) { expect_flat_memory(0); }

TEST(TrainerMemory, IsFlatOnAGpu) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  expect_flat_memory(1);
}

TEST(TrainerMemory, GoesBackWithTheModel) {
  for (const int gpus : {0, one_gpu()}) {
    const Device device = gpus > 0 ? gpu(0) : cpu();
    expect_no_leak(device, [&] {
      const auto before = live_memory(device).bytes;
      const SyntheticRegressionData data({.num_train = 320, .num_val = 32});
      Perceptron model;
      Trainer trainer({.max_epochs = 1, .num_gpus = gpus, .gradient_clip_val = 1});
      trainer.fit(model, data);
      EXPECT_GT(live_memory(device).bytes, before);
    });
  }
}

}  // namespace
}  // namespace d2l::testing
