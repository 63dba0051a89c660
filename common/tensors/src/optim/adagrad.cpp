// SPDX-License-Identifier: MIT
#include "d2l/optim/adagrad.h"

#include "kernels/coefficients.h"
#include "optim/options.h"
#include "optim/step_launch.h"
#include "runtime/capturing.h"

namespace d2l::optim {

std::unique_ptr<OptimizerOptions> AdagradOptions::clone() const { return std::make_unique<AdagradOptions>(*this); }

template <class Self, class Visit>
void AdagradOptions::each(Self& self, const Visit& visit) {
  visit("lr", self.lr_);
  visit("lr_decay", self.lr_decay_);
  visit("weight_decay", self.weight_decay_);
  visit("initial_accumulator_value", self.initial_accumulator_value_);
  visit("eps", self.eps_);
}

OptionValues AdagradOptions::values() const {
  OptionValues result;
  each(*this, detail::CollectOptions{result});
  return result;
}

void AdagradOptions::set_values(const OptionValues& values) { each(*this, detail::AssignOptions{values}); }

Adagrad::Adagrad(std::vector<Tensor> params, const AdagradOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_group(std::move(params));
}

Adagrad::Adagrad(std::vector<OptimizerParamGroup> groups, const AdagradOptions& defaults)
    : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_groups(std::move(groups));
}

void Adagrad::check(const OptimizerOptions& given) const {
  const auto& options = detail::options_of<AdagradOptions>(given, "Adagrad");
  detail::check_not_negative(options.lr(), "learning rate");
  detail::check_not_negative(options.lr_decay(), "lr_decay value");
  detail::check_not_negative(options.weight_decay(), "weight_decay value");
  detail::check_not_negative(options.initial_accumulator_value(), "initial_accumulator_value value");
  detail::check_not_negative(options.eps(), "epsilon value");
}

void Adagrad::step() {
  for_each_gradient(
      [](const OptimizerOptions& given, Tensor& parameter, const Tensor& gradient, ParameterState& state) {
        namespace place = backend::coefficients::adagrad;
        const auto& options = static_cast<const AdagradOptions&>(given);
        if (options.lr_decay() != 0) {
          detail::refuse_in_capture(parameter.device(), "step", "the host computes the learning rate of each step");
        }
        detail::state_like(state.tensors[0], parameter, options.initial_accumulator_value());
        detail::KernelArguments arguments;
        arguments.coefficients[place::lr] = options.lr() / (1 + static_cast<double>(state.step) * options.lr_decay());
        arguments.coefficients[place::eps] = options.eps();
        arguments.coefficients[place::decay] = options.weight_decay();
        detail::launch_step(backend::Operation::adagrad_step, "Adagrad", parameter, gradient, {state.tensors[0]},
                            arguments);
        ++state.step;
      });
}

std::string Adagrad::str() const {
  return detail::groups_text<AdagradOptions>(*this, [](const AdagradOptions& options) {
    return fmt::format(
        "    eps: {}\n    foreach: None\n    initial_accumulator_value: {}\n    lr: {}\n    lr_decay: {}\n"
        "    maximize: False\n    weight_decay: {}\n",
        detail::number_text(options.eps()), detail::number_text(options.initial_accumulator_value()),
        detail::number_text(options.lr()), detail::number_text(options.lr_decay()),
        detail::number_text(options.weight_decay()));
  });
}

}  // namespace d2l::optim
