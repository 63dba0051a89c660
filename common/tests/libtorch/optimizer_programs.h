// SPDX-License-Identifier: MIT
// Programs of optimizers, buffers and files, in the names that this library and LibTorch share.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "training_programs.h"

namespace programs {

template <class Optimizer, class Options>
void note_steps(Values& values, const Options& options) {
  auto a = leaf(t::tensor({{1.0, -2.0}, {0.5, 3.0}}, t::kFloat64));
  auto b = leaf(t::tensor({0.25, -0.75}, t::kFloat64));
  Optimizer optimizer(std::vector<t::Tensor>{a, b}, options);
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    ((a * b).exp() + a * a * b).sum().backward();
    optimizer.step();
    note(values, a.detach(), b.detach());
  }
}

inline Values steps_of_adam() {
  using Options = t::optim::AdamOptions;
  Values values;
  for (const auto& options :
       {Options(), Options(0.1).betas({0.8, 0.9}).eps(1e-3), Options(0.1).weight_decay(0.2).amsgrad(true)}) {
    note_steps<t::optim::Adam>(values, options);
  }
  using OptionsW = t::optim::AdamWOptions;
  for (const auto& options : {OptionsW(0.1), OptionsW(0.1).betas({0.5, 0.5}).weight_decay(0.5).amsgrad(true)}) {
    note_steps<t::optim::AdamW>(values, options);
  }
  return values;
}

inline Values steps_of_rmsprop_and_adagrad() {
  using Options = t::optim::RMSpropOptions;
  Values values;
  for (const auto& options : {Options(0.1), Options(0.1).alpha(0.5).eps(1e-3).weight_decay(0.2),
                              Options(0.1).momentum(0.9).centered(true), Options(0.1).alpha(0.9).centered(true)}) {
    note_steps<t::optim::RMSprop>(values, options);
  }
  note_steps<t::optim::Adagrad>(values, t::optim::AdagradOptions(0.1));
  note_steps<t::optim::Adagrad>(
      values, t::optim::AdagradOptions(0.5).lr_decay(0.5).weight_decay(0.1).initial_accumulator_value(1).eps(1e-3));
  return values;
}

/// A list of layers and a buffer.
struct CountingNetImpl : t::nn::Module {
  CountingNetImpl() {
    layers = register_module("layers", t::nn::ModuleList(t::nn::Linear(2, 3), t::nn::ReLU(), t::nn::Linear(3, 1)));
    calls = register_buffer("calls", t::zeros({1}));
  }
  // NOLINTNEXTLINE(modernize-use-override): it overrides nothing in LibTorch.
  t::Tensor forward(const t::Tensor& x) {
    calls.add_(1);
    return layers->at<t::nn::LinearImpl>(2).forward(layers->at<t::nn::LinearImpl>(0).forward(x).relu());
  }
  t::nn::ModuleList layers{nullptr};
  t::Tensor calls;
};

inline Values modules_with_state() {
  const auto net = std::make_shared<CountingNetImpl>();
  const auto x = t::ones({4, 2});
  net->forward(x);
  net->forward(x);
  Values values = noted(net->calls, net->buffers().size(), net->parameters().size(), net->layers->size());
  for (const auto& item : net->named_buffers()) {
    for (const char letter : item.key()) values.push_back(static_cast<double>(letter));
  }
  net->layers->insert(1, t::nn::Flatten());
  net->layers->push_back(t::nn::Dropout(0.25));
  for (const auto& child : net->layers->named_children()) values.push_back(static_cast<double>(child.key()[0]));
  net->eval();
  note(values, net->is_training(), net->layers->size(), net->layers->ptr(1)->is_training(), net->layers->is_empty());
  return values;
}

inline Values dropped_elements() {
  t::nn::Dropout layer(0.5);
  const auto x = t::full({1000}, 3.0);
  const auto y = layer(x);
  Values values = noted((y.eq(0).sum() + y.eq(6).sum()).item<double>(), y.mean().item<double>() > 2.5);
  layer->eval();
  note(values, layer(x).sum());
  namespace F = t::nn::functional;
  note(values, F::dropout(x, F::DropoutFuncOptions().p(1).training(true)).sum(),
       F::dropout(x, F::DropoutFuncOptions().p(0.5).training(false)).sum());
  return values;
}

inline Values files() {
  const auto path = (std::filesystem::temp_directory_path() / ("d2l_programs_" + std::to_string(getpid()))).string();
  auto first = std::make_shared<CountingNetImpl>();
  auto second = std::make_shared<CountingNetImpl>();
  first->calls.fill_(7);
  t::save(first, path);
  t::load(second, path);
  t::optim::Adam optimizer(first->parameters(), t::optim::AdamOptions(0.1));
  t::optim::Adam resumed(second->parameters(), t::optim::AdamOptions(0.1));
  const auto step = [](CountingNetImpl& net, t::optim::Adam& by) {
    by.zero_grad();
    net.forward(t::ones({4, 2})).sum().backward();
    by.step();
  };
  step(*first, optimizer);
  step(*second, resumed);
  step(*first, optimizer);
  t::save(first, path);
  t::load(second, path);
  t::save(optimizer, path);
  t::load(resumed, path);
  step(*first, optimizer);
  step(*second, resumed);
  std::filesystem::remove(path);
  Values values = noted(second->calls);
  for (std::size_t i = 0; i < first->parameters().size(); ++i) {
    note(values, first->parameters()[i].equal(second->parameters()[i]));
  }
  t::nn::Linear layer(2, 1);
  t::nn::Linear other(2, 1);
  t::save(layer, path);
  t::load(other, path);
  std::filesystem::remove(path);
  note(values, layer->weight.equal(other->weight));
  return values;
}

inline Values initial_values_by_fans() {
  auto weight = t::empty({30, 20, 2, 3});
  Values values = noted(t::nn::init::calculate_gain(t::kTanh), t::nn::init::calculate_gain(t::kReLU),
                        t::nn::init::calculate_gain(t::kLeakyReLU, 0.5), t::nn::init::calculate_gain(t::kLinear),
                        t::nn::init::calculate_gain(t::kSigmoid));
  const auto within = [&](double expected) {
    const double found = std::sqrt((weight * weight).mean().item<double>());
    note(values, std::abs(found - expected) < 0.05 * expected);
  };
  t::nn::init::xavier_uniform_(weight, 2.0);
  within(2 * std::sqrt(2.0 / 300));
  t::nn::init::xavier_normal_(weight);
  within(std::sqrt(2.0 / 300));
  t::nn::init::kaiming_normal_(weight, 0.5, t::kFanOut, t::kLeakyReLU);
  within(std::sqrt(2.0 / 1.25 / 180));
  t::nn::init::kaiming_uniform_(weight, 0, t::kFanIn, t::kReLU);
  within(std::sqrt(2.0 / 120));
  return values;
}

}  // namespace programs
