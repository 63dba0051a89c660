// SPDX-License-Identifier: MIT
#include "d2l/optim/optimizer.h"

#include <algorithm>
#include <ostream>
#include <unordered_set>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "nn/parameter.h"

namespace d2l::optim {

namespace {

[[noreturn]] void refuse(const std::string& sentence, const char* fix) {
  detail::fail<ValueError>("Optimizer", sentence, {}, fix);
}

}  // namespace

OptimizerParamGroup::OptimizerParamGroup(const OptimizerParamGroup& other)
    : params_(other.params_), options_(other.has_options() ? other.options_->clone() : nullptr) {}

OptimizerOptions& OptimizerParamGroup::options() {
  if (!has_options()) refuse("the group has no options yet", "add it to an optimizer, which gives it its own options");
  return *options_;
}

const OptimizerOptions& OptimizerParamGroup::options() const {
  if (!has_options()) refuse("the group has no options yet", "add it to an optimizer, which gives it its own options");
  return *options_;
}

Optimizer::~Optimizer() = default;

void Optimizer::zero_grad(bool set_to_none) {
  const NoGradGuard unrecorded;
  for (const auto& group : groups_) {
    for (const Tensor& parameter : group.params()) detail::clear_gradient(parameter, set_to_none);
  }
}

void Optimizer::add_param_group(OptimizerParamGroup group) {
  if (!group.has_options()) group.set_options(defaults_->clone());
  check(group.options());
  std::unordered_set<const detail::TensorImpl*> known;
  for (const auto& other : groups_) {
    for (const Tensor& parameter : other.params()) known.insert(parameter.impl().get());
  }
  for (const Tensor& parameter : group.params()) {
    if (!parameter.defined()) {
      refuse("optimizer can only optimize Tensors, but one of the params is undefined", "leave it out");
    }
    const detail::TensorImpl& impl = *parameter.impl();
    if (impl.grad_fn != nullptr) {
      refuse("can't optimize a non-leaf Tensor", "pass the tensor that it was computed from, or detach() it");
    }
    if (!known.insert(&impl).second) {
      refuse("some parameters appear in more than one parameter group", "pass each parameter once");
    }
  }
  groups_.push_back(std::move(group));
}

std::string repr(const Optimizer& optimizer) { return optimizer.str(); }
std::ostream& operator<<(std::ostream& out, const Optimizer& optimizer) { return out << optimizer.str(); }

void Optimizer::add_first_groups(std::vector<OptimizerParamGroup> groups) {
  if (groups.empty()) refuse("optimizer got an empty parameter list", "pass at least one group");
  for (auto& group : groups) add_param_group(std::move(group));
}

void Optimizer::add_first_group(std::vector<Tensor> params) {
  if (params.empty()) refuse("optimizer got an empty parameter list", "pass module->parameters()");
  add_param_group(OptimizerParamGroup(std::move(params)));
}

void Optimizer::for_each_gradient(const Change& change) {
  const NoGradGuard unrecorded;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    auto& parameters = groups_[g].params();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Tensor& gradient = parameters[i].impl()->grad;
      if (gradient.defined()) change(groups_[g].options(), parameters[i], gradient, state_of(parameters[i], g, i));
    }
  }
}

/// The state of parameter `number` of a group, on the device of the parameter.
Optimizer::ParameterState& Optimizer::state_of(const Tensor& parameter, std::size_t group, std::size_t number) {
  if (group >= states_.size() || number >= states_[group].size() ||
      states_[group][number].parameter != parameter.impl()) {
    arrange(group);
  }
  auto& state = states_[group][number];
  for (Tensor& tensor : state.tensors) {
    if (tensor.defined() && (tensor.device() != parameter.device() || tensor.dtype() != parameter.dtype())) {
      tensor = tensor.to(parameter.device(), parameter.dtype());
    }
  }
  return state;
}

/// The state of a parameter of a group as it is; null before the first step.
const Optimizer::ParameterState* Optimizer::find_state(const Tensor& parameter, std::size_t group) const {
  if (group >= states_.size()) return nullptr;
  const auto& states = states_[group];
  const auto found = std::find_if(states.begin(), states.end(),
                                  [&](const ParameterState& state) { return state.parameter == parameter.impl(); });
  return found == states.end() ? nullptr : &*found;
}

/// Sorts the states of a group by its parameters, whose order may have changed.
void Optimizer::arrange(std::size_t group) {
  if (group >= states_.size()) states_.resize(group + 1);
  auto& states = states_[group];
  std::vector<ParameterState> arranged;
  arranged.reserve(groups_[group].params().size());
  for (const Tensor& parameter : groups_[group].params()) {
    const auto known = std::find_if(states.begin(), states.end(),
                                    [&](const ParameterState& state) { return state.parameter == parameter.impl(); });
    if (known == states.end()) {
      arranged.push_back({parameter.impl(), 0, {}});
    } else {
      arranged.push_back(std::move(*known));
    }
  }
  states = std::move(arranged);
}

Optimizer::ParameterState& Optimizer::state_of(const Tensor& parameter) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto& parameters = groups_[g].params();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].is_same(parameter)) return state_of(parameter, g, i);
    }
  }
  refuse("the tensor is not a parameter of this optimizer", "param_groups() lists the parameters");
}

StateDict Optimizer::state(const Tensor& parameter) {
  const auto& known = state_of(parameter);
  const auto names = state_names();
  StateDict result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (known.tensors[i].defined()) result.insert(names[i], known.tensors[i]);
  }
  return result;
}

void Optimizer::set_state(const Tensor& parameter, const StateDict& state, std::int64_t steps) {
  auto& known = state_of(parameter);
  const auto names = state_names();
  std::array<Tensor, max_state_tensors> tensors;
  for (const auto& item : state) {
    const auto place = std::find(names.begin(), names.end(), item.key());
    if (place == names.end()) refuse("it keeps no state \"" + item.key() + "\"", "give what state() returned");
    if (item.value().sizes() != parameter.sizes()) {
      detail::fail<ShapeError>(
          "Optimizer", "a state has another shape than its parameter",
          detail::operands({{"parameter", parameter.impl().get()}, {"state", item.value().impl().get()}}),
          "give what state() returned for this parameter");
    }
    const NoGradGuard unrecorded;
    tensors[static_cast<std::size_t>(place - names.begin())] =
        item.value().to(parameter.device(), parameter.dtype(), false, /*copy=*/true);
  }
  known.tensors = std::move(tensors);
  known.step = steps;
}

std::int64_t Optimizer::steps(const Tensor& parameter) { return state_of(parameter).step; }

}  // namespace d2l::optim
