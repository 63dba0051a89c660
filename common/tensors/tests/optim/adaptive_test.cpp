// SPDX-License-Identifier: MIT
// Adam, AdamW, RMSprop and Adagrad: the values, placement and cost of a step.
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>

#include "every_device.h"

namespace d2l::testing {
namespace {

using optim::Adagrad;
using optim::AdagradOptions;
using optim::Adam;
using optim::AdamOptions;
using optim::AdamW;
using optim::AdamWOptions;
using optim::Optimizer;
using optim::RMSprop;
using optim::RMSpropOptions;

/// An optimizer, and its formula for one parameter in double.
struct Kind {
  std::function<std::unique_ptr<Optimizer>(const std::vector<Tensor>&)> create;
  std::function<std::function<double(double value, double gradient)>()> formula;
};

template <class Adaptive, class Options>
Kind adam(const Options& options, bool decoupled) {
  return {[=](const auto& parameters) { return std::make_unique<Adaptive>(parameters, options); },
          [=] {
            return [=, m = 0.0, v = 0.0, largest = 0.0, t = 0](double p, double g) mutable {
              const auto [beta1, beta2] = options.betas();
              ++t;
              if (decoupled) p *= 1 - options.lr() * options.weight_decay();
              if (!decoupled) g += options.weight_decay() * p;
              m = beta1 * m + (1 - beta1) * g;
              v = beta2 * v + (1 - beta2) * g * g;
              largest = std::max(largest, v);
              const double root = std::sqrt((options.amsgrad() ? largest : v) / (1 - std::pow(beta2, t)));
              return p - options.lr() * m / (1 - std::pow(beta1, t)) / (root + options.eps());
            };
          }};
}

Kind rmsprop(const RMSpropOptions& options) {
  return {[=](const auto& parameters) { return std::make_unique<RMSprop>(parameters, options); },
          [=] {
            return [=, v = 0.0, m = 0.0, b = 0.0](double p, double g) mutable {
              g += options.weight_decay() * p;
              v = options.alpha() * v + (1 - options.alpha()) * g * g;
              m = options.alpha() * m + (1 - options.alpha()) * g;
              const double step = g / (std::sqrt(options.centered() ? v - m * m : v) + options.eps());
              b = options.momentum() * b + step;
              return p - options.lr() * b;
            };
          }};
}

Kind adagrad(const AdagradOptions& options) {
  return {[=](const auto& parameters) { return std::make_unique<Adagrad>(parameters, options); },
          [=] {
            return [=, sum = options.initial_accumulator_value(), t = 0](double p, double g) mutable {
              g += options.weight_decay() * p;
              sum += g * g;
              return p - options.lr() / (1 + t++ * options.lr_decay()) * g / (std::sqrt(sum) + options.eps());
            };
          }};
}

const std::vector<Kind>& adaptive_kinds() {
  static const std::vector<Kind> all{
      adam<Adam>(AdamOptions(), false),
      adam<Adam>(AdamOptions(0.1).betas({0.8, 0.9}).eps(1e-3).weight_decay(0.2), false),
      adam<Adam>(AdamOptions(0.1).betas({0.5, 0.5}).amsgrad(true), false),
      adam<Adam>(AdamOptions(0).betas({0, 0}), false),
      adam<AdamW>(AdamWOptions(0.1), true),
      adam<AdamW>(AdamWOptions(0.01).betas({0.5, 0.5}).weight_decay(0.5).amsgrad(true), true),
      rmsprop(RMSpropOptions()),
      rmsprop(RMSpropOptions(0.1).alpha(0.5).eps(1e-3).weight_decay(0.2)),
      rmsprop(RMSpropOptions(0.1).alpha(0.9).momentum(0.9)),
      rmsprop(RMSpropOptions(0.1).alpha(0.9).centered(true)),
      rmsprop(RMSpropOptions(0.1).alpha(0.9).momentum(0.5).centered(true).weight_decay(0.1)),
      adagrad(AdagradOptions()),
      adagrad(AdagradOptions(0.1).lr_decay(0.5).weight_decay(0.2).initial_accumulator_value(2).eps(1e-3)),
  };
  return all;
}

/// The gradients of a parameter (2, 3) at a step: of both signs, and different in size.
std::vector<double> gradients_of(int step) {
  std::vector<double> values;
  for (int i = 0; i < 6; ++i) values.push_back(std::sin(step * 1.7 + i * 2.3) * (i + 1));
  return values;
}

TEST(AdaptiveOptimizers, StepAsTheFormulasSay) {
  on_every_device([](Device device) {
    for (const auto& kind : adaptive_kinds()) {
      for (const auto dtype : {kDouble, kFloat}) {
        const auto options = TensorOptions(dtype).device(device);
        const auto parameter = nn::Parameter(tensor({{1.0, -2.0, 0.5}, {3.0, 0.25, -1.0}}, options));
        const auto without = nn::Parameter(ones({2}, options));
        const auto optimizer = kind.create({parameter, without});
        auto expected = parameter.to_vector<double>();
        std::vector formulas(6, kind.formula());
        for (int step = 0; step < 7; ++step) {
          const auto gradients = gradients_of(step);
          parameter.mutable_grad() = tensor(gradients, options).reshape({2, 3});
          optimizer->step();
          const auto values = parameter.to_vector<double>();
          for (std::size_t i = 0; i < 6; ++i) {
            expected[i] = formulas[i](expected[i], gradients[i]);
            EXPECT_NEAR(values[i], expected[i], (dtype == kDouble ? 1e-12 : 2e-5) * (1 + std::abs(expected[i])))
                << repr(*optimizer) << " at step " << step << ", element " << i;
          }
        }
        EXPECT_EQ(optimizer->steps(parameter), 7);
        EXPECT_EQ(optimizer->steps(without), 0);
        EXPECT_TRUE(optimizer->state(without).is_empty());
        EXPECT_EQ(without.sum().item<double>(), 2);
        EXPECT_TRUE(parameter.is_leaf() && parameter.requires_grad() && placed(parameter));
        for (const auto& item : optimizer->state(parameter)) {
          expect_on(device, *item);
          EXPECT_EQ(item->dtype(), dtype) << item.key();
          EXPECT_EQ(item->sizes().vec(), parameter.sizes().vec()) << item.key();
        }
      }
    }
  });
}

TEST(AdaptiveOptimizers, KeepStateByPyTorchsNames) {
  const auto keys_after_a_step = [](const std::function<std::unique_ptr<Optimizer>(std::vector<Tensor>)>& create) {
    const auto parameter = nn::Parameter(ones({2}));
    parameter.mutable_grad() = ones({2});
    const auto optimizer = create({parameter});
    EXPECT_TRUE(optimizer->state(parameter).is_empty());
    optimizer->step();
    return optimizer->state(parameter).keys();
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(keys_after_a_step([](auto p) { return std::make_unique<Adam>(p); }), (Names{"exp_avg", "exp_avg_sq"}));
  EXPECT_EQ(keys_after_a_step([](auto p) { return std::make_unique<AdamW>(p, AdamWOptions().amsgrad(true)); }),
            (Names{"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}));
  EXPECT_EQ(keys_after_a_step([](auto p) { return std::make_unique<RMSprop>(p); }), (Names{"square_avg"}));
  EXPECT_EQ(keys_after_a_step(
                [](auto p) { return std::make_unique<RMSprop>(p, RMSpropOptions().momentum(0.5).centered(true)); }),
            (Names{"square_avg", "momentum_buffer", "grad_avg"}));
  EXPECT_EQ(keys_after_a_step([](auto p) { return std::make_unique<Adagrad>(p); }), (Names{"sum"}));
  Adam optimizer({nn::Parameter(ones({1}))});
  expect_error<ValueError>([&] { return optimizer.state(ones({1})); }, "not a parameter of this optimizer");
  expect_error<ValueError>([&] { return optimizer.steps(ones({1})); }, "not a parameter of this optimizer");
}

TEST(AdaptiveOptimizers, LaunchOneKernelForEachParameter) {
  on_every_device([](Device device) {
    for (const auto& kind : adaptive_kinds()) {
      const nn::Sequential net(nn::Linear(3, 4), nn::ReLU(), nn::Linear(4, 1));
      net->to(device);
      const auto optimizer = kind.create(net->parameters());
      net(randn({8, 3}, device)).sum().backward();
      optimizer->step();  // creates the state
      const TransferLedger ledger;
      const TransferGuard guard(TransferGuard::disallow);
      optimizer->step();
      EXPECT_EQ(ledger.launches(), 4);
      EXPECT_EQ(ledger.allocations(), 0);
      EXPECT_EQ(ledger.copies(), 0);
      EXPECT_EQ(ledger.synchronisations(), 0);
      for (const auto& entry : ledger.entries()) EXPECT_EQ(entry.queue, device) << entry.name;
    }
  });
}

TEST(AdaptiveOptimizers, CountTheBytesOfAllArrays) {
  const auto parameter = nn::Parameter(ones({10}));
  parameter.mutable_grad() = ones({10});
  Adam optimizer({parameter}, AdamOptions().amsgrad(true));
  optimizer.step();
  const TransferLedger ledger;
  optimizer.step();
  ASSERT_EQ(ledger.entries().size(), 1U);
  EXPECT_EQ(ledger.entries()[0].name, "adam_step");
  EXPECT_EQ(ledger.entries()[0].bytes, 5 * 40);
  EXPECT_EQ(ledger.entries()[0].flops, 140);
}

TEST(AdaptiveOptimizers, TakeOperandsOfAnyLayout) {
  on_every_device([](Device device) {
    const auto values = arange(12, TensorOptions(kFloat).device(device)).reshape({3, 4});
    const auto plain = nn::Parameter(values.clone());
    const auto strided = nn::Parameter(values.t().clone().t());
    const auto part = nn::Parameter(cat({values, values}, 1).slice(1, 2, 6));
    const auto wide = part.detach();
    plain.detach().copy_(wide);
    NoGradGuard unrecorded;
    Tensor(strided).copy_(wide);
    for (const Tensor& parameter : {plain, strided, part}) {
      parameter.mutable_grad() = parameter.is_same(part) ? (values + 1).t().contiguous().t() : values + 1;
    }
    Adam optimizer({plain, strided, part}, 0.1);
    for (int step = 0; step < 3; ++step) optimizer.step();
    EXPECT_FALSE(strided.is_contiguous());
    EXPECT_TRUE(strided.equal(plain));
    EXPECT_TRUE(part.equal(plain));

    const auto empty = nn::Parameter(ones({0, 3}, device));
    const auto number = nn::Parameter(tensor(1.0, device));
    empty.mutable_grad() = ones({0, 3}, device);
    number.mutable_grad() = tensor(2.0, device);
    Adagrad(list(empty, number), 0.5).step();
    EXPECT_FLOAT_EQ(number.item<float>(), 0.5F);
  });
}

TEST(AdaptiveOptimizers, CountTheirWritesForGradients) {
  const auto parameter = nn::Parameter(full({2}, 3.0));
  const auto loss = (parameter * parameter).sum();
  parameter.mutable_grad() = ones({2});
  Adam({parameter}).step();
  expect_error<ValueError>(
      [&] {
        loss.backward();
        return 0;
      },
      "modified by an inplace operation");
}

TEST(AdaptiveOptimizers, RefuseGradientsThatDoNotFit) {
  const auto parameter = nn::Parameter(ones({2}));
  Adam optimizer({parameter});
  const auto with = [&](const Tensor& gradient) {
    parameter.mutable_grad() = gradient;
    optimizer.step();
    return 0;
  };
  expect_error<ShapeError>([&] { return with(ones({1})); }, "the gradient of a parameter has another shape");
  expect_error<TypeError>([&] { return with(ones({2}, kDouble)); }, "must have one floating-point dtype");
  if (num_gpus() > 0) {
    expect_error<DeviceError>([&] { return with(ones({2}, gpu(0))); }, "Expected all tensors to be on the same device");
  }
  EXPECT_EQ(optimizer.steps(parameter), 0);
  EXPECT_EQ(parameter.sum().item<double>(), 2);
  with(ones({2}));
  parameter.mutable_grad() = Tensor();
  parameter.set_data(ones({3}));
  expect_error<ShapeError>([&] { return with(ones({3})); }, "the shape of a parameter has changed");
  EXPECT_EQ(optimizer.steps(parameter), 1);
}

TEST(AdaptiveOptimizers, MoveTheirStateWithTheParameters) {
  on_every_device([](Device device) {
    for (const auto& kind : adaptive_kinds()) {
      const nn::Linear moved(3, 1);
      const auto stays = std::dynamic_pointer_cast<nn::LinearImpl>(moved->clone());
      const auto optimizer = kind.create(moved->parameters());
      const auto reference = kind.create(stays->parameters());
      for (const Device where : {cpu(), device, cpu()}) {
        moved->to(where);
        moved(ones({2, 3}, where)).sum().backward();
        stays->forward(ones({2, 3})).sum().backward();
        optimizer->step();
        reference->step();
        for (const auto& item : optimizer->state(moved->weight)) expect_on(where, *item);
        EXPECT_TRUE(moved->weight.cpu().allclose(stays->weight)) << repr(*optimizer);
      }
    }
  });
}

TEST(AdaptiveOptimizers, HaveAGroupForEachSetOfOptions) {
  const auto a = nn::Parameter(ones({1}));
  const auto b = nn::Parameter(ones({1}));
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{a});
  groups.emplace_back(std::vector<Tensor>{b}, std::make_unique<AdamOptions>(0.5));
  Adam optimizer(std::move(groups), 0.25);
  (a + b).backward();
  optimizer.step();
  EXPECT_FLOAT_EQ(a.item<float>(), 0.75F);
  EXPECT_FLOAT_EQ(b.item<float>(), 0.5F);
  EXPECT_EQ(static_cast<AdamOptions&>(optimizer.param_groups()[1].options()).lr(), 0.5);
}

}  // namespace
}  // namespace d2l::testing
