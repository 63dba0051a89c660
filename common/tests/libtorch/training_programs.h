// SPDX-License-Identifier: MIT
// Programs of gradients, modules and optimizers, in the names that this library and LibTorch share.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "programs.h"

namespace programs {

inline t::Tensor leaf(const t::Tensor& values) {
  auto result = values.clone();
  result.set_requires_grad(true);
  return result;
}

/// The gradients of a weighted sum of each result at each of the leaves.
template <class... Leaves>
void note_gradients(Values& values, const std::vector<t::Tensor>& results, Leaves&... leaves) {
  for (const auto& result : results) {
    const auto weights = t::arange(1.0, static_cast<double>(result.numel() + 1)).reshape(result.sizes());
    result.backward(weights.to(result.scalar_type()));
    note(values, result.detach(), leaves.grad()...);
    ((leaves.mutable_grad() = t::Tensor()), ...);
  }
}

inline Values gradients_of_elementwise_operations() {
  auto x = leaf(t::tensor({{0.5, 1.5, 2.5}, {3.5, 0.25, 1.25}}));
  auto y = leaf(t::tensor({2.0, 4.0, 0.5}));
  auto s = leaf(t::tensor({-1.0, -0.25, 0.75}));
  auto n = leaf(t::tensor(3.0));
  Values values;
  note_gradients(values, {x + y, x - y, x * y, x / y, x.add(y, 2), x.sub(y, 0.5), x.pow(y)}, x, y);
  note_gradients(values, {2 - x, 3 / x, x * 2 + 1, x.pow(3), x.exp() + x.log() + x.sqrt(), -x, x * x.detach()}, x);
  note_gradients(values, {x * n}, x, n);
  note_gradients(values, {s.abs() + s.relu(), s.sigmoid() * s.tanh()}, s);
  return values;
}

inline Values gradients_of_reductions() {
  auto x = leaf(t::tensor({{1.0, 5.0, 3.0}, {4.0, 2.0, 6.0}}));
  auto ties = leaf(t::tensor({1.0, 2.0, 2.0}));
  Values values;
  note_gradients(values,
                 {x.sum(), x.sum(0), x.sum(1, true), x.mean(), x.mean({-2, 1}), x.max(), x.min(), std::get<0>(x.max(1)),
                  std::get<0>(x.min(0, true)), x.norm(), x.norm(1), x.log_softmax(1), t::log_softmax(x, 0)},
                 x);
  note_gradients(values, {ties.max()}, ties);
  return values;
}

inline Values gradients_of_views_and_products() {
  auto x = leaf(t::arange(6.0).reshape({2, 3}));
  auto w = leaf(t::arange(12.0).reshape({3, 4}));
  auto v = leaf(t::tensor({1.0, 2.0, 3.0}));
  auto batch = leaf(t::arange(12.0).reshape({2, 2, 3}));
  Values values;
  note_gradients(values, {x.mm(w), t::nn::functional::linear(x, w.t(), t::ones({4}))}, x, w);
  note_gradients(values, {x.matmul(v), t::cat({x, x * 2, v.unsqueeze(0)})}, x, v);
  note_gradients(values, {t::matmul(v, v), v.expand({2, 3}), t::stack({v, v * v}, 1)}, v);
  note_gradients(values, {batch.matmul(w)}, batch, w);
  note_gradients(values,
                 {x.t(), x.view({3, 2}), x.reshape(-1), x.transpose(0, 1).unsqueeze(0).squeeze(0), x[1],
                  x.slice(1, 0, 3, 2), x.to(t::kFloat64), x.clone()},
                 x);
  note_gradients(values, {batch.permute({2, 0, 1})}, batch);
  return values;
}

inline Values gradients_of_writes_in_place() {
  auto x = leaf(t::tensor({1.0, 2.0, 3.0}));
  Values values;
  auto y = x * 2;
  y.mul_(x);
  y += 1;
  note_gradients(values, {y}, x);
  auto z = t::zeros({2, 3});
  z[0] = x;
  z[1].copy_(x * x);
  note_gradients(values, {z}, x);
  auto u = x * 1;
  u[1] = 5;
  note_gradients(values, {u.exp()}, x);
  auto f = x.clone();
  f.sub_(x, 0.5).div_(2).relu_();
  note_gradients(values, {f}, x);
  note(values, f._version());
  return values;
}

inline Values scopes_of_gradients() {
  auto x = t::tensor({1.0, 2.0}, t::requires_grad());
  Values values = noted(x.requires_grad() && x.is_leaf() && !x.grad().defined());
  (x * x).sum().backward();
  (x * 3).sum().backward();
  note(values, x.grad());
  {
    const t::NoGradGuard unrecorded;
    const auto y = x * 2;
    note(values, !y.requires_grad() && y.is_leaf() && !t::GradMode::is_enabled());
    const t::AutoGradMode recorded(true);
    note(values, (x * 2).requires_grad());
  }
  note(values, t::GradMode::is_enabled());
  const auto y = (x * x).sum();
  y.backward({}, /*retain_graph=*/true);
  y.backward();
  note(values, x.grad(), y.grad_fn() != nullptr && x.grad_fn() == nullptr && !y.is_leaf(),
       !y.detach().requires_grad() && y.requires_grad());
  x.mutable_grad().zero_();
  note(values, x.grad(), t::autograd::grad({(x * x * x).sum()}, {x})[0], x.grad());
  x.set_data(t::tensor({5.0, 6.0, 7.0}));
  note(values, x.detach(), x.requires_grad());
  const auto z = t::ones({2}, t::TensorOptions().dtype(t::kFloat64).requires_grad(true));
  t::autograd::backward({z.sum(), (z * z).sum()});
  note(values, z.grad());
  return values;
}

/// A layer with known parameters.
inline t::nn::Linear known_linear(const t::Tensor& weight, const t::Tensor& bias) {
  t::nn::Linear layer(weight.size(1), weight.size(0));
  const t::NoGradGuard unrecorded;
  layer->weight.copy_(weight);
  layer->bias.copy_(bias);
  return layer;
}

inline Values a_linear_layer() {
  const auto weight = t::tensor({{1.0, -2.0, 0.5}, {0.25, 3.0, -1.0}});
  auto layer = known_linear(weight, t::tensor({0.5, -0.5}));
  const auto x = t::tensor({{1.0, 2.0, 3.0}, {-1.0, 0.5, 2.0}});
  const auto y = layer(x);
  y.pow(2).sum().backward();
  auto values = noted(y.detach(), layer->forward(x).detach(), layer->weight.grad(), layer->bias.grad(),
                      layer(x[0]).detach(), layer(x.reshape({1, 2, 3})).detach());
  layer->zero_grad();
  note(values, layer->weight.grad());
  t::nn::Linear plain(t::nn::LinearOptions(3, 2).bias(false));
  note(values, plain->parameters().size(), !plain->bias.defined() && layer->is_training());
  t::manual_seed(1);
  const t::nn::Linear wide(400, 50);
  note(values, wide->weight.abs().max().item<double>() <= 0.0500001 && wide->weight.requires_grad(),
       wide->weight.abs().max().item<double>() > 0.0499);
  layer->to(t::kFloat64);
  note(values, layer(x.to(t::kFloat64)).detach(),
       layer->weight.dtype() == t::kFloat64 && layer->bias.dtype() == t::kFloat64);
  layer->eval();
  note(values, layer->is_training());
  return values;
}

inline Values a_sequential() {
  t::nn::Sequential net(known_linear(t::tensor({{1.0, -1.0}, {0.5, 2.0}, {-1.5, 0.25}}), t::tensor({0.0, 0.5, 1.0})),
                        t::nn::ReLU());
  net->push_back(known_linear(t::tensor({{1.0, -0.5, 2.0}}), t::tensor({0.25})));
  const auto x = t::tensor({{1.0, 2.0}, {-3.0, 0.5}, {0.25, -1.0}});
  const auto y = net->forward(x);
  y.sum().backward();
  Values values = noted(y.detach());
  for (const auto& parameter : net->parameters()) note(values, parameter.grad());
  for (const auto& item : net->named_parameters()) {
    note(values, item.key().size(), item.value().detach(), (*item).detach());
  }
  note(values, net->size(), net->children().size(),
       net->named_parameters().contains("2.weight") && !net->named_parameters().contains("1.bias"),
       net->named_parameters()["2.bias"].detach(), net[0]->as<t::nn::Linear>()->weight.detach(),
       net[1]->as<t::nn::Linear>() == nullptr);
  net->zero_grad();
  note(values, net->parameters()[0].grad().abs().sum().item<double>());
  net->train(false);
  const auto cube = t::arange(24.0).reshape({2, 3, 4});
  note(values, net->is_training(), net[0]->is_training(), t::nn::Flatten()(cube),
       t::nn::Flatten(t::nn::FlattenOptions().start_dim(0).end_dim(1))(cube));
  return values;
}

inline Values losses() {
  namespace functional = t::nn::functional;
  auto x = leaf(t::tensor({{0.5, -1.0, 2.0}, {1.5, 0.25, -0.75}}));
  const auto y = t::tensor({{1.0, 0.0, 2.5}, {-1.0, 0.5, 0.0}});
  const auto classes = t::tensor({2, 0});
  t::nn::MSELoss squares;
  t::nn::MSELoss each(t::nn::MSELossOptions().reduction(t::kNone));
  t::nn::CrossEntropyLoss entropy;
  t::nn::CrossEntropyLoss without(t::nn::CrossEntropyLossOptions().ignore_index(2).reduction(t::kSum));
  Values values;
  note_gradients(
      values,
      {squares(x, y), each(x, y), functional::mse_loss(x, y, functional::MSELossFuncOptions(t::kSum)),
       t::mse_loss(x, y), entropy(x, classes), without(x, classes), functional::cross_entropy(x, classes),
       functional::cross_entropy(x, classes, functional::CrossEntropyFuncOptions().reduction(t::kNone).ignore_index(0)),
       functional::log_softmax(x, 1) + functional::relu(x)},
      x);
  return values;
}

inline Values steps_of_sgd() {
  using Options = t::optim::SGDOptions;
  Values values;
  for (const auto& options : {Options(0.1), Options(0.1).momentum(0.9), Options(0.05).momentum(0.9).dampening(0.25),
                              Options(0.1).weight_decay(0.1), Options(0.1).momentum(0.5).weight_decay(0.2),
                              Options(0.02).momentum(0.9).nesterov(true)}) {
    auto model = known_linear(t::tensor({{0.5, -1.0}}), t::tensor({0.0}));
    t::optim::SGD optimizer(model->parameters(), options);
    const auto x = t::tensor({{1.0, 2.0}, {-1.0, 0.5}, {3.0, -2.0}});
    const auto y = t::tensor({{1.0}, {-2.0}, {0.5}});
    for (int step = 0; step < 4; ++step) {
      optimizer.zero_grad();
      const auto loss = t::nn::functional::mse_loss(model(x), y);
      loss.backward();
      optimizer.step();
      note(values, loss.detach());
    }
    note(values, model->weight.detach(), model->bias.detach());
  }
  return values;
}

inline Values groups_of_parameters() {
  auto a = leaf(t::tensor({1.0, 2.0}));
  auto b = leaf(t::tensor({3.0}));
  auto c = leaf(t::tensor({-1.0}));
  t::optim::SGD optimizer(std::vector<t::Tensor>{a}, 0.5);
  t::optim::OptimizerParamGroup group(std::vector<t::Tensor>{b},
                                      std::make_unique<t::optim::SGDOptions>(t::optim::SGDOptions(0.25).momentum(0.5)));
  optimizer.add_param_group(group);
  optimizer.add_param_group(t::optim::OptimizerParamGroup({c}));
  (a.sum() * b + c * c).backward();
  optimizer.step();
  Values values = noted(a.detach(), b.detach(), c.detach());
  for (auto& each : optimizer.param_groups()) {
    static_cast<t::optim::SGDOptions&>(each.options()).lr(each.options().get_lr() * 0.5);
    note(values, each.params().size());
  }
  optimizer.param_groups()[0].options().set_lr(1);
  optimizer.step();
  optimizer.zero_grad();
  note(values, a.detach(), b.detach(), c.detach(), a.grad(), b.grad(), c.grad());
  return values;
}

inline Values clipping() {
  Values values;
  for (const double type : {1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()}) {
    for (const double most : {0.5, 5.0, 1e6}) {
      auto a = leaf(t::tensor({1.0, 2.0}));
      auto b = leaf(t::tensor({{3.0}, {-0.5}}));
      auto unused = leaf(t::tensor({1.0}));
      (a.pow(2).sum() + (b * b * b).sum()).backward();
      const double norm = t::nn::utils::clip_grad_norm_({a, b, unused}, most, type);
      note(values, norm, a.grad(), b.grad(), unused.grad().defined());
    }
  }
  auto single = leaf(t::tensor({3.0, 4.0}));
  single.pow(2).sum().backward();
  values.push_back(t::nn::utils::clip_grad_norm_(single, 1.0));
  note(values, single.grad());
  return values;
}

inline Values initial_values() {
  auto weight = t::empty({30, 40});
  t::manual_seed(3);
  t::nn::init::kaiming_uniform_(weight, 2.0);
  const double bound = std::sqrt(6.0 / (5 * 40));
  const double most = weight.abs().max().item<double>();
  Values values = noted(most <= bound && most > 0.98 * bound);
  t::nn::init::uniform_(weight, -3, -2);
  note(values, weight.min().item<double>() >= -3 && weight.max().item<double>() <= -2);
  t::nn::init::normal_(weight, 100, 0.5);
  note(values, std::abs(weight.mean().item<double>() - 100) < 0.1, t::nn::init::constant_(t::empty({2}), 0.5),
       t::nn::init::ones_(t::empty({2})), t::nn::init::zeros_(t::empty({2})));
  return values;
}

/// Two layers and a parameter, registered in LibTorch's way.
struct ScaledNetImpl : t::nn::Module {
  ScaledNetImpl(std::int64_t inputs, std::int64_t hidden)
      : first(register_module("first", t::nn::Linear(inputs, hidden))) {
    second = register_module("second", t::nn::Linear(hidden, 2));
    scale = register_parameter("scale", t::ones({1}));
    const t::NoGradGuard unrecorded;
    double start = 0.1;
    for (auto& parameter : parameters()) {
      const auto count = static_cast<double>(parameter.numel());
      parameter.copy_((t::arange(count).reshape(parameter.sizes()) - count / 3) * start);
      start = -start * 0.9;
    }
  }
  // NOLINTNEXTLINE(modernize-use-override): it overrides nothing in LibTorch.
  t::Tensor forward(const t::Tensor& x) { return second->forward(first->forward(x).relu()) * scale; }
  t::nn::Linear first;
  t::nn::Linear second{nullptr};
  t::Tensor scale;
};

inline Values a_module_of_ones_own() {
  const auto net = std::make_shared<ScaledNetImpl>(3, 4);
  Values values;
  for (const auto& item : net->named_parameters()) {
    for (const char letter : item.key()) values.push_back(static_cast<double>(letter));
    note(values, item.value().detach());
  }
  for (const auto& child : net->named_children()) values.push_back(static_cast<double>(child.key().size()));
  t::optim::SGD optimizer(net->parameters(), t::optim::SGDOptions(0.05).momentum(0.9));
  t::nn::CrossEntropyLoss criterion;
  const auto x = t::tensor({{1.0, 0.5, -1.0}, {0.25, -2.0, 1.0}, {-0.5, 1.5, 0.75}, {2.0, 0.0, 1.0}});
  const auto y = t::tensor({0, 1, 1, 0});
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    const auto loss = criterion(net->forward(x), y);
    loss.backward();
    values.push_back(t::nn::utils::clip_grad_norm_(net->parameters(), 1.0));
    optimizer.step();
    note(values, loss.detach());
  }
  for (const auto& parameter : net->parameters()) note(values, parameter.detach());
  note(values, net->parameters(/*recurse=*/false).size());
  return values;
}

struct SquareAndCube : t::autograd::Function<SquareAndCube> {
  static t::autograd::tensor_list forward(t::autograd::AutogradContext* ctx, const t::Tensor& x, double factor) {
    ctx->saved_data["factor"] = factor;
    ctx->save_for_backward({x});
    return {x * x * factor, x * x * x};
  }
  static t::autograd::variable_list backward(t::autograd::AutogradContext* ctx,
                                             t::autograd::variable_list grad_outputs) {
    const auto x = ctx->get_saved_variables()[0];
    const double factor = ctx->saved_data["factor"].toDouble();
    return {grad_outputs[0] * x * (2 * factor) + grad_outputs[1] * x * x * 3, t::Tensor()};
  }
};

inline Values a_function_of_ones_own() {
  auto x = leaf(t::tensor({{0.5, 1.5, 2.5}, {3.5, 0.25, 1.25}}));
  auto row = leaf(t::tensor({2.0, 4.0, 0.5}));
  Values values;
  note_gradients(values, {SquareAndCube::apply(x * row, 3.0)[0], SquareAndCube::apply(x * row, 3.0)[1]}, x, row);
  const auto both = SquareAndCube::apply(x + row, 0.5);
  note_gradients(values, {both[0] * both[1]}, x, row);
  return values;
}

}  // namespace programs
