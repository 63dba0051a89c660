// SPDX-License-Identifier: MIT
// The options of Adam, AdamW, RMSprop and Adagrad: defaults, texts and errors.
#include <limits>
#include <memory>

#include "every_device.h"

namespace d2l::testing {
namespace {

using optim::Adagrad;
using optim::AdagradOptions;
using optim::Adam;
using optim::AdamOptions;
using optim::AdamW;
using optim::AdamWOptions;
using optim::RMSprop;
using optim::RMSpropOptions;

std::vector<Tensor> parameters() { return {nn::Parameter(ones({1}))}; }

TEST(OptimizerOptions, PrintAsPyTorchDoes) {
  EXPECT_EQ(repr(Adam(parameters())),
            "Adam (\nParameter Group 0\n    amsgrad: False\n    betas: (0.9, 0.999)\n    capturable: False\n"
            "    differentiable: False\n    eps: 1e-08\n    foreach: None\n    fused: False\n    lr: 0.001\n"
            "    maximize: False\n    weight_decay: 0\n)");
  EXPECT_EQ(repr(AdamW(parameters(), AdamWOptions(0.5).betas({0, 0.5}).amsgrad(true))),
            "AdamW (\nParameter Group 0\n    amsgrad: True\n    betas: (0.0, 0.5)\n    capturable: False\n"
            "    eps: 1e-08\n    foreach: None\n    lr: 0.5\n    maximize: False\n    weight_decay: 0.01\n)");
  EXPECT_EQ(repr(RMSprop(parameters())),
            "RMSprop (\nParameter Group 0\n    alpha: 0.99\n    centered: False\n    differentiable: False\n"
            "    eps: 1e-08\n    foreach: None\n    lr: 0.01\n    maximize: False\n    momentum: 0\n"
            "    weight_decay: 0\n)");
  Adagrad adagrad(parameters());
  adagrad.add_param_group({parameters(), std::make_unique<AdagradOptions>(AdagradOptions(1).lr_decay(0.5))});
  EXPECT_EQ(adagrad.str(),
            "Adagrad (\nParameter Group 0\n    eps: 1e-10\n    foreach: None\n    initial_accumulator_value: 0\n"
            "    lr: 0.01\n    lr_decay: 0\n    maximize: False\n    weight_decay: 0\n"
            "\nParameter Group 1\n    eps: 1e-10\n    foreach: None\n    initial_accumulator_value: 0\n"
            "    lr: 1\n    lr_decay: 0.5\n    maximize: False\n    weight_decay: 0\n)");
}

template <class Optimizer, class Options>
void expect_group_refused(const Options& options, const std::string& sentence) {
  Optimizer optimizer(parameters());
  const optim::OptimizerParamGroup group(parameters(), std::make_unique<Options>(options));
  expect_error<ValueError>(
      [&] {
        optimizer.add_param_group(group);
        return 0;
      },
      sentence);
  EXPECT_EQ(optimizer.param_groups().size(), 1U);
}

template <class Optimizer, class Options>
void expect_refused(const Options& options, const std::string& sentence) {
  expect_error<ValueError>([&] { return Optimizer(parameters(), options).str(); }, sentence);
  expect_group_refused<Optimizer>(options, sentence);
}

template <class Optimizer, class Options>
void expect_errors_of_adam() {
  expect_refused<Optimizer>(Options(-1), "Invalid learning rate: -1");
  expect_refused<Optimizer>(Options(std::numeric_limits<double>::quiet_NaN()), "Invalid learning rate: nan");
  expect_refused<Optimizer>(Options().eps(-0.5), "Invalid epsilon value: -0.5");
  expect_refused<Optimizer>(Options().betas({1, 0.9}), "Invalid beta parameter at index 0: 1.0");
  expect_refused<Optimizer>(Options().betas({0.9, -0.5}), "Invalid beta parameter at index 1: -0.5");
  expect_refused<Optimizer>(Options().weight_decay(-1), "Invalid weight_decay value: -1");
}

TEST(OptimizerOptions, AreRefusedWithPyTorchsSentences) {
  expect_errors_of_adam<Adam, AdamOptions>();
  expect_errors_of_adam<AdamW, AdamWOptions>();
  expect_refused<RMSprop>(RMSpropOptions(-1), "Invalid learning rate: -1");
  expect_refused<RMSprop>(RMSpropOptions().eps(-1), "Invalid epsilon value: -1");
  expect_refused<RMSprop>(RMSpropOptions().momentum(-1), "Invalid momentum value: -1");
  expect_refused<RMSprop>(RMSpropOptions().weight_decay(-1), "Invalid weight_decay value: -1");
  expect_refused<RMSprop>(RMSpropOptions().alpha(-0.5), "Invalid alpha value: -0.5");
  expect_refused<Adagrad>(AdagradOptions(-1), "Invalid learning rate: -1");
  expect_refused<Adagrad>(AdagradOptions().lr_decay(-1), "Invalid lr_decay value: -1");
  expect_refused<Adagrad>(AdagradOptions().weight_decay(-1), "Invalid weight_decay value: -1");
  expect_refused<Adagrad>(AdagradOptions().initial_accumulator_value(-1),
                          "Invalid initial_accumulator_value value: -1");
  expect_refused<Adagrad>(AdagradOptions().eps(-1), "Invalid epsilon value: -1");
  expect_group_refused<Adam>(AdamWOptions(), "Adam was given the options of another optimizer");
  expect_group_refused<Adagrad>(RMSpropOptions(), "Adagrad was given the options of another optimizer");
  expect_error<ValueError>([] { return RMSprop(std::vector<Tensor>()).str(); },
                           "optimizer got an empty parameter list");
  expect_error<ValueError>([] { return AdamW(std::vector<optim::OptimizerParamGroup>()).str(); },
                           "optimizer got an empty parameter list");
}

template <class Options>
void expect_values_come_back(const Options& options) {
  Options other(9);
  other.set_values(options.values());
  EXPECT_EQ(other.values(), options.values());
  EXPECT_NE(other.values(), Options(9).values());
  auto incomplete = options.values();
  incomplete.erase("lr");
  expect_error<ValueError>(
      [&] {
        other.set_values(incomplete);
        return 0;
      },
      "the option lr has no value");
}

TEST(OptimizerOptions, AreNumbersByName) {
  EXPECT_EQ(
      AdamOptions(0.5).betas({0.25, 0.75}).amsgrad(true).values(),
      (optim::OptionValues{
          {"lr", 0.5}, {"betas.0", 0.25}, {"betas.1", 0.75}, {"eps", 1e-8}, {"weight_decay", 0}, {"amsgrad", 1}}));
  expect_values_come_back(AdamOptions(0.5).betas({0.25, 0.75}).amsgrad(true));
  expect_values_come_back(AdamWOptions(0.5).weight_decay(3));
  expect_values_come_back(RMSpropOptions(0.5).alpha(0.25).momentum(2).centered(true).eps(3).weight_decay(4));
  expect_values_come_back(AdagradOptions(0.5).lr_decay(1).weight_decay(2).initial_accumulator_value(3).eps(4));
  expect_values_come_back(optim::SGDOptions(0.5).momentum(1).dampening(2).weight_decay(3).nesterov(true));
}

}  // namespace
}  // namespace d2l::testing
