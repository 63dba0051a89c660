// SPDX-License-Identifier: MIT
// A few steps of the models lower their loss, with the same numbers on every device.
#include <cmath>

#include "d2l/data.h"
#include "small_models.h"

namespace d2l::testing {
namespace {

using namespace d2l::examples;

std::vector<double> losses_of_steps(const SmallModel& small, Device device, int steps) {
  const auto model = made(small, device);
  const auto optimizer = small.optimizer(model->parameters());
  const Batch batch = batch_on(small, device);
  std::vector<Tensor> losses;
  for (int i = 0; i < steps; ++i) losses.push_back(step(*model, batch, *optimizer));
  return stack(losses).to_vector<double>();
}

TEST(ExamplesTraining, StepsLowerTheLossAlikeOnEveryDevice) {
  on_every_model([](const SmallModel& small) {
    const auto expected = losses_of_steps(small, cpu(), 6);
    EXPECT_LT(expected.back(), 0.98 * expected.front());
    std::vector<double> of_first_gpu;
    on_every_device([&](Device device) {
      const auto losses = losses_of_steps(small, device, 6);
      for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], expected[i], 1e-3 * expected[i]) << i;
      if (device.is_cuda() && of_first_gpu.empty()) of_first_gpu = losses;
      if (device.is_cuda() && device_properties(device).kind == DeviceKind::virtual_gpu_on_host) {
        EXPECT_EQ(losses, of_first_gpu);
      }
    });
  });
}

TEST(ExamplesTraining, AnEpochCopiesItsTwoSumsAndNoMore) {
  for (int i = 0; i < num_gpus(); ++i) {
    const Device device = gpu(i);
    SCOPED_TRACE(device.str());
    const LeNet model;
    model->to(device);
    optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.1));
    const auto digits = draw_digits(30, 1).tensors();
    DataLoader loader(TensorDataset({digits[0].to(device), digits[1].to(device)}), DataLoaderOptions(10));
    train_epoch(*model, loader, optimizer);
    const TransferLedger ledger;
    const TransferGuard guard(TransferGuard::disallow);
    train_epoch(*model, loader, optimizer);
    evaluate(*model, loader);
    EXPECT_EQ(ledger.copies(Direction::device_to_host), 2) << ledger.summary();
    EXPECT_EQ(ledger.copied_bytes(Direction::device_to_host), 32);
    EXPECT_EQ(ledger.implicit_copies(), 0);
  }
}

/// Scores that say which class is right, for known losses and accuracies.
class Stub : public nn::Module {
 public:
  Stub() { register_parameter("scale", ones({})); }
  Tensor forward(const Tensor& x) override { return x * named_parameters()["scale"]; }
};

TEST(ExamplesTraining, MeasuresTheMeansOverAllExamples) {
  on_every_device([](Device device) {
    // Three examples of two classes, the last of which is wrong, in batches of two and one.
    const Tensor scores = tensor({{2.0, 0.0}, {0.0, 1.0}, {3.0, 0.0}});
    DataLoader loader(TensorDataset({scores, tensor({0, 1, 1})}), DataLoaderOptions(2).device(device));
    Stub model;
    model.to(device);
    optim::SGD optimizer(model.parameters(), optim::SGDOptions(0.1));
    const double loss = (std::log1p(std::exp(-2.0)) + std::log1p(std::exp(-1.0)) + std::log1p(std::exp(3.0))) / 3;
    const Measured measured = evaluate(model, loader);
    EXPECT_NEAR(measured.loss, loss, 1e-6);
    EXPECT_NEAR(measured.accuracy, 2.0 / 3, 1e-12);
    EXPECT_FALSE(model.is_training());
    EXPECT_EQ(model.parameters()[0].item<float>(), 1);
    EXPECT_NEAR(train_epoch(model, loader, optimizer).accuracy, 2.0 / 3, 1e-12);
    EXPECT_TRUE(model.is_training());
    EXPECT_NE(model.parameters()[0].item<float>(), 1);
  });
}

}  // namespace
}  // namespace d2l::testing
