// SPDX-License-Identifier: MIT
// GradScaler: the scale over many steps, steps that are left out, waits, and errors.
#include <cmath>
#include <limits>

#include "d2l/amp.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/optim/sgd.h"
#include "d2l/transfers.h"
#include "every_device.h"

namespace d2l::amp {
namespace {

using d2l::testing::expect_error;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A parameter, and an optimizer that subtracts its gradient.
struct Model {
  explicit Model(Device device = cpu()) : weight(ones({2}, device).requires_grad_()), optimizer({weight}, 1.0) {}
  Tensor weight;
  optim::SGD optimizer;
};

/// A step with the gradient `slope` before scaling; whether it was made.
bool step(GradScaler& scaler, Model& model, double slope) {
  model.optimizer.zero_grad();
  scaler.scale((model.weight * slope).sum()).backward();
  const bool made = scaler.step(model.optimizer);
  scaler.update();
  return made;
}

// What PyTorch 2.15 gives for the same gradients.
TEST(GradScaler, GrowsAfterGoodStepsAndShrinksAfterAnOverflow) {
  for (const Device device : d2l::testing::every_device()) {
    Model model(device);
    GradScaler scaler({.init_scale = 8, .growth_factor = 4, .backoff_factor = 0.25, .growth_interval = 2});
    const double slopes[] = {0.5, 0.25, infinity, 0.5, std::nan(""), 0.125, 0.125};
    const double scales[] = {8, 32, 8, 8, 2, 2, 8};
    const double weights[] = {0.5, 0.25, 0.25, -0.25, -0.25, -0.375, -0.5};
    for (std::size_t i = 0; i < std::size(slopes); ++i) {
      EXPECT_EQ(step(scaler, model, slopes[i]), std::isfinite(slopes[i])) << i;
      EXPECT_EQ(scaler.get_scale(), scales[i]) << i;
      EXPECT_EQ(model.weight[0].item<double>(), weights[i]) << i;
    }
  }
}

TEST(GradScaler, AnOverflowOfTheScaledLossIsOne) {
  Model model;
  GradScaler scaler({.init_scale = std::exp2(120)});
  EXPECT_FALSE(step(scaler, model, 1e30)) << "finite, but not after scaling";
  EXPECT_EQ(scaler.get_scale(), std::exp2(119));
}

TEST(GradScaler, DoesNotGrowBeyondFloat32) {
  Model model;
  GradScaler scaler({.init_scale = std::exp2(127), .growth_interval = 1});
  EXPECT_TRUE(step(scaler, model, 1e-30));
  EXPECT_EQ(scaler.get_scale(), std::exp2(127));
}

TEST(GradScaler, UnscalesOnceForClipping) {
  Model model;
  GradScaler scaler({.init_scale = 4});
  scaler.scale((model.weight * 3).sum()).backward();
  EXPECT_EQ(model.weight.grad()[0].item<double>(), 12);
  scaler.unscale_(model.optimizer);
  EXPECT_EQ(model.weight.grad()[0].item<double>(), 3);
  EXPECT_TRUE(scaler.step(model.optimizer));
  EXPECT_EQ(model.weight[0].item<double>(), -2);
  scaler.update();
  EXPECT_EQ(scaler.growth_tracker(), 1);
}

// One wait for all parameters of a device, in step().
TEST(GradScaler, WaitsOnce) {
  if (num_gpus() == 0) GTEST_SKIP() << "needs a GPU";
  const Tensor first = ones({3}, gpu(0)).requires_grad_();
  const Tensor second = ones({2, 2}, gpu(0)).requires_grad_();
  optim::SGD optimizer({first, second}, 0.1);
  GradScaler scaler;
  scaler.scale(first.sum() + second.sum()).backward();
  TransferLedger ledger;
  scaler.unscale_(optimizer);
  EXPECT_EQ(ledger.synchronisations(), 0);
  scaler.step(optimizer);
  scaler.update();
  EXPECT_EQ(ledger.synchronisations(), 1);
}

TEST(GradScaler, AllOptimizersShareAScale) {
  Model first;
  Model second;
  GradScaler scaler({.init_scale = 8});
  scaler.scale(first.weight.sum()).backward();
  scaler.scale((second.weight * infinity).sum()).backward();
  EXPECT_TRUE(scaler.step(first.optimizer));
  EXPECT_FALSE(scaler.step(second.optimizer));
  scaler.update();
  EXPECT_EQ(scaler.get_scale(), 4);
}

TEST(GradScaler, DoesNothingIfItIsNotEnabled) {
  Model model;
  GradScaler scaler({.enabled = false});
  EXPECT_TRUE(step(scaler, model, infinity));
  EXPECT_EQ(scaler.get_scale(), 1);
  EXPECT_TRUE(scaler.state_dict().empty());
}

TEST(GradScaler, SaysWhatWasCalledInTheWrongOrder) {
  Model model;
  GradScaler scaler;
  expect_error<Error>([&] { scaler.unscale_(model.optimizer); }, "did not use scaler.scale(loss");
  expect_error<Error>([&] { scaler.update(); }, "No inf checks were recorded prior to update");
  scaler.scale(model.weight.sum()).backward();
  scaler.unscale_(model.optimizer);
  expect_error<Error>([&] { scaler.unscale_(model.optimizer); }, "unscale_() has already been called");
  scaler.step(model.optimizer);
  expect_error<Error>([&] { scaler.unscale_(model.optimizer); }, "unscale_() is being called after step()");
  expect_error<Error>([&] { scaler.step(model.optimizer); }, "step() has already been called");
  scaler.update();
  model.optimizer.zero_grad(true);
  expect_error<Error>([&] { scaler.step(model.optimizer); }, "No inf checks were recorded for this optimizer");
}

TEST(GradScaler, RefusesGradientsOfFloat16) {
  const Tensor weight = ones({2}, kHalf).requires_grad_();
  optim::SGD optimizer({weight}, 0.1);
  GradScaler scaler;
  scaler.scale(weight.sum()).backward();
  expect_error<ValueError>([&] { scaler.step(optimizer); }, "Attempting to unscale FP16 gradients");
}

TEST(GradScaler, RefusesOptionsThatCannotWork) {
  expect_error<ValueError>([] { GradScaler({.growth_factor = 1}); }, "The growth factor must be > 1.0");
  expect_error<ValueError>([] { GradScaler({.backoff_factor = 1}); }, "The backoff factor must be < 1.0");
  expect_error<ValueError>([] { GradScaler({.growth_interval = 0}); }, "interval");
  for (const double scale : {0.0, -1.0, infinity, std::nan("")}) {
    expect_error<ValueError>([&] { GradScaler({.init_scale = scale}); }, "the scale is");
    GradScaler scaler;
    expect_error<ValueError>([&] { scaler.update(scale); }, "the scale is");
  }
}

TEST(GradScaler, ItsStateIsRestored) {
  Model model;
  GradScaler before({.init_scale = 16, .growth_interval = 3});
  step(before, model, 1);
  GradScaler after;
  after.load_state_dict(before.state_dict());
  EXPECT_EQ(after.state_dict(), before.state_dict());
  EXPECT_EQ(after.get_scale(), 16);
  EXPECT_EQ(after.growth_tracker(), 1);
  expect_error<ValueError>([&] { after.load_state_dict({{"scale", 1}}); }, "has no \"growth_factor\"");
  EXPECT_EQ(after.get_scale(), 16);
  for (const double wrong : {std::nan(""), -1.0, 0.5, infinity}) {
    for (const char* const name : {"growth_interval", "_growth_tracker"}) {
      auto state = before.state_dict();
      state[name] = wrong;
      expect_error<ValueError>([&] { after.load_state_dict(state); }, "but it counts steps");
    }
  }
  EXPECT_EQ(after.growth_tracker(), 1);
}

}  // namespace
}  // namespace d2l::amp
