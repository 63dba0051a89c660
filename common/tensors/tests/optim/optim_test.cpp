// SPDX-License-Identifier: MIT
// Optimizers: the values, placement and cost of a step.
#include <limits>
#include <memory>
#include <sstream>

#include "every_device.h"

namespace d2l::testing {
namespace {

using optim::SGD;
using optim::SGDOptions;

/// One parameter, by the formulas, in double.
struct Reference {
  double value;
  double buffer = 0;
  bool first = true;

  void step(double gradient, const SGDOptions& options) {
    gradient += options.weight_decay() * value;
    if (options.momentum() != 0) {
      buffer = first ? gradient : options.momentum() * buffer + (1 - options.dampening()) * gradient;
      first = false;
      gradient = options.nesterov() ? gradient + options.momentum() * buffer : buffer;
    }
    value -= options.lr() * gradient;
  }
};

const std::vector<SGDOptions>& kinds() {
  static const std::vector<SGDOptions> all{
      SGDOptions(0.1),
      SGDOptions(0.1).weight_decay(0.3),
      SGDOptions(0.1).momentum(0.9),
      SGDOptions(0.05).momentum(0.9).dampening(0.2),
      SGDOptions(0.05).momentum(0.8).weight_decay(0.1),
      SGDOptions(0.05).momentum(0.8).nesterov(true).weight_decay(0.1),
      SGDOptions(0),
  };
  return all;
}

TEST(SGD, StepsAsTheFormulasSay) {
  on_every_device([](Device device) {
    for (const auto& options : kinds()) {
      const auto parameter = nn::Parameter(tensor({1.0, -2.0}, TensorOptions(kDouble).device(device)));
      const auto without = nn::Parameter(ones({2}, device));
      SGD optimizer({parameter, without}, options);
      std::vector<Reference> expected{{1}, {-2}};
      for (int step = 0; step < 6; ++step) {
        optimizer.zero_grad();
        (parameter * parameter * tensor({0.5, 1.5}, parameter.options())).sum().backward();
        expected[0].step(expected[0].value, options);
        expected[1].step(3 * expected[1].value, options);
        optimizer.step();
        const auto values = parameter.to_vector<double>();
        EXPECT_NEAR(values[0], expected[0].value, 1e-12) << optimizer << " at step " << step;
        EXPECT_NEAR(values[1], expected[1].value, 1e-12) << optimizer << " at step " << step;
      }
      EXPECT_EQ(without.sum().item<double>(), 2);
      EXPECT_TRUE(parameter.is_leaf() && parameter.requires_grad() && placed(parameter));
      const auto buffer = optimizer.momentum_buffer(parameter);
      EXPECT_EQ(buffer.defined(), options.momentum() != 0);
      EXPECT_TRUE(!buffer.defined() || (placed(buffer) && buffer.device() == device));
      EXPECT_FALSE(optimizer.momentum_buffer(without).defined());
    }
  });
}

TEST(SGD, LeavesNothingToTheHost) {
  on_every_device([](Device device) {
    if (device.is_cpu()) return;
    for (const auto& options : kinds()) {
      const nn::Sequential net(nn::Linear(3, 4), nn::ReLU(), nn::Linear(4, 1));
      net->to(device);
      SGD optimizer(net->parameters(), options);
      const auto x = randn({8, 3}, device);
      const auto y = randn({8, 1}, device);
      const TransferLedger ledger;
      const TransferGuard guard(TransferGuard::disallow);
      for (int step = 0; step < 3; ++step) {
        optimizer.zero_grad();
        nn::MSELoss()(net(x), y).backward();
        optimizer.step();
      }
      EXPECT_EQ(ledger.copies(), 0);
      EXPECT_EQ(ledger.synchronisations(), 0);
      for (const auto& entry : ledger.entries()) EXPECT_EQ(entry.queue, device) << entry.name;
    }
  });
}

TEST(SGD, AllocatesNothingForAPlainStep) {
  on_every_device([](Device device) {
    const nn::Linear layer(3, 1);
    layer->to(device);
    SGD plain(layer->parameters(), 0.1);
    SGD moving(layer->parameters(), SGDOptions(0.1).momentum(0.9));
    layer(ones({2, 3}, device)).sum().backward();
    moving.step();  // creates the buffers
    const TransferLedger ledger;
    plain.step();
    plain.zero_grad();
    moving.step();
    EXPECT_EQ(ledger.allocations(), 0);
    EXPECT_EQ(ledger.launches(), 2 + 2 + 6);
  });
}

TEST(SGD, RemembersWhereItsParametersAre) {
  on_every_device([](Device device) {
    const nn::Linear layer(3, 1);
    SGD optimizer(layer->parameters(), SGDOptions(0.1).momentum(0.5));
    const auto step = [&](Device where) {
      optimizer.zero_grad();
      layer(ones({2, 3}, where)).sum().backward();
      optimizer.step();
    };
    step(cpu());
    const auto before = optimizer.momentum_buffer(layer->weight).to_vector<float>();
    layer->to(device);
    EXPECT_TRUE(optimizer.param_groups()[0].params()[0].is_same(layer->weight));
    expect_on(device, optimizer.momentum_buffer(layer->weight));
    EXPECT_EQ(optimizer.momentum_buffer(layer->weight).to_vector<float>(), before);
    step(device);
    EXPECT_EQ(optimizer.momentum_buffer(layer->bias).to_vector<float>(), (std::vector<float>{3}));
    layer->to(cpu()).to(kDouble);
    optimizer.zero_grad();
    layer(ones({2, 3}, kDouble)).sum().backward();
    optimizer.step();
    EXPECT_EQ(optimizer.momentum_buffer(layer->bias).to_vector<double>(), (std::vector<double>{3.5}));
    EXPECT_EQ(optimizer.momentum_buffer(layer->bias).dtype(), kDouble);
    EXPECT_TRUE(optimizer.momentum_buffer(layer->bias).is_cpu());
  });
}

TEST(SGD, HasAGroupForEachSetOfOptions) {
  const auto a = nn::Parameter(ones({1}));
  const auto b = nn::Parameter(ones({1}));
  const auto c = nn::Parameter(ones({1}));
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a});
  groups.emplace_back(std::vector<Tensor>{b}, std::make_unique<SGDOptions>(SGDOptions(0.5).momentum(0.9)));
  SGD optimizer(std::move(groups), 0.25);
  optimizer.add_param_group(optim::OptimizerParamGroup({c}));
  ASSERT_EQ(optimizer.param_groups().size(), 3U);
  (a + b + c).backward();
  optimizer.step();
  EXPECT_EQ(a.item<double>(), 0.75);
  EXPECT_EQ(b.item<double>(), 0.5);
  EXPECT_EQ(c.item<double>(), 0.75);
  for (auto& group : optimizer.param_groups()) group.options().set_lr(group.options().get_lr() * 2);
  static_cast<SGDOptions&>(optimizer.param_groups()[2].options()).lr(0);
  optimizer.step();
  EXPECT_EQ(a.item<double>(), 0.25);
  EXPECT_FLOAT_EQ(b.item<float>(), 0.5F - 1.9F);
  EXPECT_EQ(c.item<double>(), 0.75);
  EXPECT_EQ(optimizer.momentum_buffer(b).item<float>(), 1.9F);
}

TEST(SGD, FindsItsMemoryWhenParametersAreTakenOut) {
  const auto a = nn::Parameter(ones({1}));
  const auto b = nn::Parameter(ones({1}));
  SGD optimizer({a, b}, SGDOptions(1).momentum(1));
  (a + 2 * b).backward();
  optimizer.step();
  auto& parameters = optimizer.param_groups()[0].params();
  parameters.erase(parameters.begin());
  optimizer.step();
  EXPECT_EQ(b.item<double>(), 1 - 2 - 4);
  EXPECT_EQ(a.item<double>(), 0);
  expect_error<ValueError>([&] { return optimizer.momentum_buffer(a); }, "not a parameter of this optimizer");
}

TEST(SGD, PrintsAsPyTorchDoes) {
  const nn::LazyLinear layer(1);
  SGD optimizer(layer->parameters(), 0.1);
  const std::string plain =
      "SGD (\nParameter Group 0\n    dampening: 0\n    differentiable: False\n    foreach: None\n    lr: 0.1\n"
      "    maximize: False\n    momentum: 0\n    nesterov: False\n    weight_decay: 0\n";
  EXPECT_EQ(repr(optimizer), plain + ")");
  optimizer.add_param_group(
      {{nn::Parameter(ones({1}))},
       std::make_unique<SGDOptions>(SGDOptions(0.001).momentum(0.9).nesterov(true).weight_decay(1e-5))});
  std::ostringstream out;
  out << optimizer;
  EXPECT_EQ(out.str(),
            plain +
                "\nParameter Group 1\n    dampening: 0\n    differentiable: False\n    foreach: None\n    lr: 0.001\n"
                "    maximize: False\n    momentum: 0.9\n    nesterov: True\n    weight_decay: 1e-05\n)");
}

TEST(SGD, RefusesWhatMakesNoSense) {
  const auto parameter = nn::Parameter(ones({1}));
  const auto refused = [&](const SGDOptions& options, const std::string& sentence) {
    expect_error<ValueError>([&] { return SGD({parameter}, options); }, sentence);
    SGD optimizer({nn::Parameter(ones({1}))}, 0.1);
    const optim::OptimizerParamGroup group({parameter}, std::make_unique<SGDOptions>(options));
    expect_error<ValueError>([&] { optimizer.add_param_group(group); }, sentence);
    EXPECT_EQ(optimizer.param_groups().size(), 1U);
  };
  refused(SGDOptions(-1), "Invalid learning rate: -1");
  refused(SGDOptions(-0.5), "Invalid learning rate: -0.5");
  refused(SGDOptions(0.1).momentum(-1), "Invalid momentum value: -1");
  refused(SGDOptions(0.1).weight_decay(-0.25), "Invalid weight_decay value: -0.25");
  refused(SGDOptions(0.1).nesterov(true), "Nesterov momentum requires a momentum and zero dampening");
  refused(SGDOptions(0.1).nesterov(true).momentum(0.9).dampening(0.1),
          "Nesterov momentum requires a momentum and zero dampening");
  const std::vector<Tensor> none;
  expect_error<ValueError>([&] { return SGD(none, 0.1); }, "optimizer got an empty parameter list");
  expect_error<ValueError>([&] { return SGD(std::vector<optim::OptimizerParamGroup>(), 0.1); },
                           "optimizer got an empty parameter list");
  expect_error<ValueError>([&] { return SGD({parameter * 2}, 0.1); }, "can't optimize a non-leaf Tensor");
  expect_error<ValueError>([&] { return SGD({Tensor()}, 0.1); }, "optimizer can only optimize Tensors");
  expect_error<ValueError>([&] { return SGD(list(parameter, parameter), 0.1); },
                           "some parameters appear in more than one parameter group");
  SGD optimizer({parameter}, 0.1);
  expect_error<ValueError>([&] { optimizer.add_param_group(optim::OptimizerParamGroup({parameter})); },
                           "some parameters appear in more than one parameter group");
  expect_error<ValueError>([] { return optim::OptimizerParamGroup({ones({1})}).options().get_lr(); },
                           "the group has no options yet");
}

TEST(SGD, RefusesTheOptionsOfAnotherOptimizer) {
  struct Other : optim::OptimizerOptions {
    [[nodiscard]] std::unique_ptr<OptimizerOptions> clone() const override { return std::make_unique<Other>(*this); }
    [[nodiscard]] double get_lr() const override { return 0; }
    void set_lr(double /*lr*/) override {}
  };
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{nn::Parameter(ones({1}))}, std::make_unique<Other>());
  expect_error<ValueError>([&] { return SGD(std::move(groups), 0.1); }, "the options of another optimizer");
}

}  // namespace
}  // namespace d2l::testing
