// SPDX-License-Identifier: MIT
#include "d2l/optim/sgd.h"

#include "optim/options.h"
#include "optim/step_launch.h"

namespace d2l::optim {

std::unique_ptr<OptimizerOptions> SGDOptions::clone() const { return std::make_unique<SGDOptions>(*this); }

template <class Self, class Visit>
void SGDOptions::each(Self& self, const Visit& visit) {
  visit("lr", self.lr_);
  visit("momentum", self.momentum_);
  visit("dampening", self.dampening_);
  visit("weight_decay", self.weight_decay_);
  visit("nesterov", self.nesterov_);
}

OptionValues SGDOptions::values() const {
  OptionValues result;
  each(*this, detail::CollectOptions{result});
  return result;
}

void SGDOptions::set_values(const OptionValues& values) { each(*this, detail::AssignOptions{values}); }

SGD::SGD(std::vector<Tensor> params, const SGDOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_group(std::move(params));
}

SGD::SGD(std::vector<OptimizerParamGroup> groups, const SGDOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_groups(std::move(groups));
}

void SGD::check(const OptimizerOptions& given) const {
  const auto& options = detail::options_of<SGDOptions>(given, "SGD");
  detail::check_not_negative(options.lr(), "learning rate");
  detail::check_not_negative(options.momentum(), "momentum value");
  detail::check_not_negative(options.weight_decay(), "weight_decay value");
  if (options.nesterov() && (options.momentum() <= 0 || options.dampening() != 0)) {
    detail::refuse_option("Nesterov momentum requires a momentum and zero dampening",
                          "set momentum(0.9) and no dampening");
  }
}

void SGD::step() {
  for_each_gradient(
      [](const OptimizerOptions& given, Tensor& parameter, const Tensor& gradient, ParameterState& state) {
        const auto& options = static_cast<const SGDOptions&>(given);
        const bool decays = options.weight_decay() != 0;
        const Tensor decayed = decays ? gradient.add(parameter, options.weight_decay()) : Tensor();
        const Tensor& direction = decays ? decayed : gradient;
        if (options.momentum() == 0) {
          parameter.add_(direction, -options.lr());
          return;
        }
        Tensor& buffer = state.tensors[0];
        if (buffer.defined()) {
          buffer.mul_(options.momentum()).add_(direction, 1 - options.dampening());
        } else {
          detail::refuse_first_step(parameter.device());
          buffer = direction.detach().clone();
        }
        parameter.add_(options.nesterov() ? direction.add(buffer, options.momentum()) : buffer, -options.lr());
      });
}

Tensor SGD::momentum_buffer(const Tensor& parameter) { return state_of(parameter).tensors[0]; }

std::string SGD::str() const {
  return detail::groups_text<SGDOptions>(*this, [](const SGDOptions& options) {
    return fmt::format(
        "    dampening: {}\n    differentiable: False\n    foreach: None\n    lr: {}\n    maximize: False\n"
        "    momentum: {}\n    nesterov: {}\n    weight_decay: {}\n",
        detail::number_text(options.dampening()), detail::number_text(options.lr()),
        detail::number_text(options.momentum()), detail::bool_text(options.nesterov()),
        detail::number_text(options.weight_decay()));
  });
}

}  // namespace d2l::optim
