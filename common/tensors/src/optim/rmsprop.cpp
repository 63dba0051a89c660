// SPDX-License-Identifier: MIT
#include "d2l/optim/rmsprop.h"

#include "kernels/coefficients.h"
#include "optim/options.h"
#include "optim/step_launch.h"

namespace d2l::optim {

namespace {

/// The places of the state's tensors.
enum RMSpropPlace : std::size_t { square_avg, momentum_buffer, grad_avg };

void set_coefficients(std::array<double, 7>& to, const RMSpropOptions& options) {
  namespace place = backend::coefficients::rmsprop;
  to[place::lr] = options.lr();
  to[place::alpha] = options.alpha();
  to[place::eps] = options.eps();
  to[place::decay] = options.weight_decay();
  to[place::momentum] = options.momentum();
}

}  // namespace

std::unique_ptr<OptimizerOptions> RMSpropOptions::clone() const { return std::make_unique<RMSpropOptions>(*this); }

template <class Self, class Visit>
void RMSpropOptions::each(Self& self, const Visit& visit) {
  visit("lr", self.lr_);
  visit("alpha", self.alpha_);
  visit("eps", self.eps_);
  visit("weight_decay", self.weight_decay_);
  visit("momentum", self.momentum_);
  visit("centered", self.centered_);
}

OptionValues RMSpropOptions::values() const {
  OptionValues result;
  each(*this, detail::CollectOptions{result});
  return result;
}

void RMSpropOptions::set_values(const OptionValues& values) { each(*this, detail::AssignOptions{values}); }

RMSprop::RMSprop(std::vector<Tensor> params, const RMSpropOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_group(std::move(params));
}

RMSprop::RMSprop(std::vector<OptimizerParamGroup> groups, const RMSpropOptions& defaults)
    : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_groups(std::move(groups));
}

void RMSprop::check(const OptimizerOptions& given) const {
  const auto& options = detail::options_of<RMSpropOptions>(given, "RMSprop");
  detail::check_not_negative(options.lr(), "learning rate");
  detail::check_not_negative(options.eps(), "epsilon value");
  detail::check_not_negative(options.momentum(), "momentum value");
  detail::check_not_negative(options.weight_decay(), "weight_decay value");
  detail::check_not_negative(options.alpha(), "alpha value");
}

std::vector<std::string> RMSprop::state_names() const { return {"square_avg", "momentum_buffer", "grad_avg"}; }

void RMSprop::step() {
  for_each_gradient(
      [](const OptimizerOptions& given, Tensor& parameter, const Tensor& gradient, ParameterState& state) {
        const auto& options = static_cast<const RMSpropOptions&>(given);
        const bool moves = options.momentum() > 0;
        detail::state_like(state.tensors[square_avg], parameter);
        if (moves) detail::state_like(state.tensors[momentum_buffer], parameter);
        if (options.centered()) detail::state_like(state.tensors[grad_avg], parameter);
        detail::KernelArguments arguments;
        set_coefficients(arguments.coefficients, options);
        arguments.parameters[0].integer = options.centered() ? 1 : 0;
        arguments.parameters[1].integer = moves ? 1 : 0;
        detail::launch_step(backend::Operation::rmsprop_step, "RMSprop", parameter, gradient,
                            {state.tensors[square_avg], options.centered() ? state.tensors[grad_avg] : Tensor(),
                             moves ? state.tensors[momentum_buffer] : Tensor()},
                            arguments);
        ++state.step;
      });
}

std::string RMSprop::str() const {
  return detail::groups_text<RMSpropOptions>(*this, [](const RMSpropOptions& options) {
    return fmt::format(
        "    alpha: {}\n    centered: {}\n    differentiable: False\n    eps: {}\n    foreach: None\n    lr: {}\n"
        "    maximize: False\n    momentum: {}\n    weight_decay: {}\n",
        detail::number_text(options.alpha()), detail::bool_text(options.centered()), detail::number_text(options.eps()),
        detail::number_text(options.lr()), detail::number_text(options.momentum()),
        detail::number_text(options.weight_decay()));
  });
}

}  // namespace d2l::optim
