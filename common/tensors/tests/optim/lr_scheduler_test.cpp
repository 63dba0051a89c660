// SPDX-License-Identifier: MIT
// Schedules of learning rates.
#include <cmath>
#include <numbers>

#include "every_device.h"

namespace d2l::testing {
namespace {

using optim::CosineAnnealingLR;
using optim::SGD;
using optim::SGDOptions;
using optim::StepLR;

/// Two groups with the learning rates 0.5 and 2.
SGD two_groups() {
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{nn::Parameter(ones({1}))});
  groups.emplace_back(std::vector<Tensor>{nn::Parameter(ones({1}))}, std::make_unique<SGDOptions>(2));
  return {std::move(groups), 0.5};
}

TEST(StepLR, MultipliesEveryFewEpochs) {
  auto optimizer = two_groups();
  StepLR scheduler(optimizer, 3);
  EXPECT_EQ(scheduler.get_last_lr(), (std::vector<double>{0.5, 2}));
  for (int epoch = 1; epoch <= 7; ++epoch) {
    scheduler.step();
    const double factor = epoch < 3 ? 1 : epoch < 6 ? 0.1 : 0.1 * 0.1;
    EXPECT_EQ(scheduler.get_last_lr(), (std::vector<double>{0.5 * factor, 2 * factor})) << epoch;
    EXPECT_EQ(optimizer.param_groups()[1].options().get_lr(), 2 * factor) << epoch;
  }
  optimizer.param_groups()[0].options().set_lr(1);  // as in PyTorch, the rates change from what they are
  StepLR(optimizer, 1, 0.5).step();
  EXPECT_EQ(optimizer.param_groups()[0].options().get_lr(), 0.5);
}

TEST(CosineAnnealingLR, FollowsACosineBackAndForth) {
  auto optimizer = two_groups();
  CosineAnnealingLR scheduler(optimizer, 4, 0.25);
  for (int epoch = 1; epoch <= 17; ++epoch) {
    scheduler.step();
    const double height = (1 + std::cos(std::numbers::pi * epoch / 4)) / 2;
    EXPECT_NEAR(scheduler.get_last_lr()[0], 0.25 + 0.25 * height, 1e-12) << epoch;
    EXPECT_NEAR(scheduler.get_last_lr()[1], 0.25 + 1.75 * height, 1e-12) << epoch;
  }
  optimizer.add_param_group({{nn::Parameter(ones({1}))}, std::make_unique<SGDOptions>(3)});
  scheduler.step();
  EXPECT_EQ(scheduler.get_last_lr().at(2), 3) << "a group without a first value is left alone";
}

TEST(CosineAnnealingLR, OfOneEpoch) {
  auto optimizer = two_groups();
  CosineAnnealingLR scheduler(optimizer, 1);
  for (const double expected : {0.0, 0.5, 0.0, 0.5}) {
    scheduler.step();
    EXPECT_NEAR(scheduler.get_last_lr()[0], expected, 1e-12);
  }
}

TEST(LRScheduler, RefusesPeriodsThatAreNotPositive) {
  auto optimizer = two_groups();
  expect_error<ValueError>([&] { return StepLR(optimizer, 0).get_last_lr(); }, "step_size is 0, and must be positive");
  expect_error<ValueError>([&] { return CosineAnnealingLR(optimizer, -1).get_last_lr(); },
                           "T_max is -1, and must be positive");
}

}  // namespace
}  // namespace d2l::testing
