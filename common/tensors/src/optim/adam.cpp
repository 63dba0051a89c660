// SPDX-License-Identifier: MIT
#include "d2l/optim/adam.h"

#include <cmath>

#include "d2l/repr.h"
#include "kernels/coefficients.h"
#include "optim/options.h"
#include "optim/step_launch.h"
#include "runtime/capturing.h"

namespace d2l {

namespace detail {

template <class Options>
std::unique_ptr<optim::OptimizerOptions> AdamOptionsOf<Options>::clone() const {
  return std::make_unique<Options>(static_cast<const Options&>(*this));
}

template <class Options>
template <class Self, class Visit>
void AdamOptionsOf<Options>::each(Self& self, const Visit& visit) {
  visit("lr", self.lr_);
  visit("betas.0", std::get<0>(self.betas_));
  visit("betas.1", std::get<1>(self.betas_));
  visit("eps", self.eps_);
  visit("weight_decay", self.weight_decay_);
  visit("amsgrad", self.amsgrad_);
}

template <class Options>
optim::OptionValues AdamOptionsOf<Options>::values() const {
  optim::OptionValues result;
  each(*this, CollectOptions{result});
  return result;
}

template <class Options>
void AdamOptionsOf<Options>::set_values(const optim::OptionValues& values) {
  each(*this, AssignOptions{values});
}

template class AdamOptionsOf<optim::AdamOptions>;
template class AdamOptionsOf<optim::AdamWOptions>;

}  // namespace detail

namespace optim {

namespace {

/// The places of the state's tensors.
enum AdamPlace : std::size_t { exp_avg, exp_avg_sq, max_exp_avg_sq };
std::vector<std::string> adam_names() { return {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}; }

template <class Options>
void check_options(const Options& options) {
  detail::check_not_negative(options.lr(), "learning rate");
  detail::check_not_negative(options.eps(), "epsilon value");
  detail::check_beta(std::get<0>(options.betas()), 0);
  detail::check_beta(std::get<1>(options.betas()), 1);
  detail::check_not_negative(options.weight_decay(), "weight_decay value");
}

/// The coefficients of step number `step`; `decoupled` is the weight decay of AdamW.
template <class Options>
void set_coefficients(std::array<double, 7>& to, const Options& options, std::int64_t step, bool decoupled) {
  namespace place = backend::coefficients::adam;
  const auto [beta1, beta2] = options.betas();
  const auto t = static_cast<double>(step);
  to[place::step_size] = options.lr() / (1 - std::pow(beta1, t));
  to[place::beta1] = beta1;
  to[place::beta2] = beta2;
  to[place::eps] = options.eps();
  to[place::decay] = decoupled ? 0 : options.weight_decay();
  to[place::shrink] = decoupled ? 1 - options.lr() * options.weight_decay() : 1;
  to[place::correction] = std::sqrt(1 - std::pow(beta2, t));
}

/// A step of one parameter. `State` is Optimizer::ParameterState.
template <class Options, class State>
void adam_change(const Options& options, const char* optimizer, bool decoupled, const Tensor& parameter,
                 const Tensor& gradient, State& state) {
  detail::refuse_in_capture(parameter.device(), "step",
                            "the host computes the bias correction of Adam for each step: PyTorch's capturable=True is "
                            "missing");
  detail::state_like(state.tensors[exp_avg], parameter);
  detail::state_like(state.tensors[exp_avg_sq], parameter);
  if (options.amsgrad()) detail::state_like(state.tensors[max_exp_avg_sq], parameter);
  detail::KernelArguments arguments;
  set_coefficients(arguments.coefficients, options, state.step + 1, decoupled);
  const auto& largest = options.amsgrad() ? state.tensors[max_exp_avg_sq] : Tensor();
  detail::launch_step(backend::Operation::adam_step, optimizer, parameter, gradient,
                      {state.tensors[exp_avg], state.tensors[exp_avg_sq], largest}, arguments);
  ++state.step;
}

/// The lines of a group of Adam, or of AdamW, which has two fewer in PyTorch 1.13.
template <class Options>
std::string adam_lines(const Options& options, bool of_adam) {
  const auto [beta1, beta2] = options.betas();
  return fmt::format(
      "    amsgrad: {}\n    betas: ({}, {})\n    capturable: False\n{}    eps: {}\n    foreach: None\n{}    lr: {}\n"
      "    maximize: False\n    weight_decay: {}\n",
      detail::bool_text(options.amsgrad()), d2l::repr(beta1), d2l::repr(beta2),
      of_adam ? "    differentiable: False\n" : "", detail::number_text(options.eps()),
      of_adam ? "    fused: False\n" : "", detail::number_text(options.lr()),
      detail::number_text(options.weight_decay()));
}

}  // namespace

Adam::Adam(std::vector<Tensor> params, const AdamOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_group(std::move(params));
}

Adam::Adam(std::vector<OptimizerParamGroup> groups, const AdamOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_groups(std::move(groups));
}

void Adam::check(const OptimizerOptions& options) const {
  check_options(detail::options_of<AdamOptions>(options, "Adam"));
}

std::vector<std::string> Adam::state_names() const { return adam_names(); }

void Adam::step() {
  for_each_gradient(
      [](const OptimizerOptions& options, Tensor& parameter, const Tensor& gradient, ParameterState& state) {
        adam_change(static_cast<const AdamOptions&>(options), "Adam", false, parameter, gradient, state);
      });
}

std::string Adam::str() const {
  return detail::groups_text<AdamOptions>(*this, [](const AdamOptions& options) { return adam_lines(options, true); });
}

AdamW::AdamW(std::vector<Tensor> params, const AdamWOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_group(std::move(params));
}

AdamW::AdamW(std::vector<OptimizerParamGroup> groups, const AdamWOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  add_first_groups(std::move(groups));
}

void AdamW::check(const OptimizerOptions& options) const {
  check_options(detail::options_of<AdamWOptions>(options, "AdamW"));
}

std::vector<std::string> AdamW::state_names() const { return adam_names(); }

void AdamW::step() {
  for_each_gradient(
      [](const OptimizerOptions& options, Tensor& parameter, const Tensor& gradient, ParameterState& state) {
        adam_change(static_cast<const AdamWOptions&>(options), "AdamW", true, parameter, gradient, state);
      });
}

std::string AdamW::str() const {
  return detail::groups_text<AdamWOptions>(*this,
                                           [](const AdamWOptions& options) { return adam_lines(options, false); });
}

}  // namespace optim
}  // namespace d2l
