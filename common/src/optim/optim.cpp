// SPDX-License-Identifier: MIT
#include "d2l/optim.h"

#include <fmt/format.h>

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

/// A number as Python prints it, but without ".0": 0, 0.1.
std::string text(double number) { return fmt::format("{}", number); }

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

SGD::SGD(std::vector<Tensor> params, const SGDOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  if (params.empty()) refuse("optimizer got an empty parameter list", "pass module->parameters()");
  add_param_group(OptimizerParamGroup(std::move(params)));
}

SGD::SGD(std::vector<OptimizerParamGroup> groups, const SGDOptions& defaults) : Optimizer(defaults.clone()) {
  check(defaults);
  if (groups.empty()) refuse("optimizer got an empty parameter list", "pass at least one group");
  for (auto& group : groups) add_param_group(std::move(group));
}

void SGD::check(const OptimizerOptions& options) const {
  const auto* const sgd = dynamic_cast<const SGDOptions*>(&options);
  if (sgd == nullptr) refuse("SGD was given the options of another optimizer", "use SGDOptions");
  if (sgd->lr() < 0) refuse(fmt::format("Invalid learning rate: {}", text(sgd->lr())), "give 0 or more");
  if (sgd->momentum() < 0) refuse(fmt::format("Invalid momentum value: {}", text(sgd->momentum())), "give 0 or more");
  if (sgd->weight_decay() < 0) {
    refuse(fmt::format("Invalid weight_decay value: {}", text(sgd->weight_decay())), "give 0 or more");
  }
  if (sgd->nesterov() && (sgd->momentum() <= 0 || sgd->dampening() != 0)) {
    refuse("Nesterov momentum requires a momentum and zero dampening", "set momentum(0.9) and no dampening");
  }
}

void SGD::step() {
  const NoGradGuard unrecorded;
  auto& groups = param_groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& options = static_cast<const SGDOptions&>(groups[g].options());
    auto& parameters = groups[g].params();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Tensor& parameter = parameters[i];
      const Tensor& gradient = parameter.impl()->grad;
      if (!gradient.defined()) continue;
      const bool decays = options.weight_decay() != 0;
      const Tensor decayed = decays ? gradient.add(parameter, options.weight_decay()) : Tensor();
      const Tensor& direction = decays ? decayed : gradient;
      if (options.momentum() == 0) {
        parameter.add_(direction, -options.lr());
        continue;
      }
      Tensor& buffer = buffer_of(parameter, g, i);
      if (buffer.defined()) {
        buffer.mul_(options.momentum()).add_(direction, 1 - options.dampening());
      } else {
        buffer = direction.detach().clone();
      }
      parameter.add_(options.nesterov() ? direction.add(buffer, options.momentum()) : buffer, -options.lr());
    }
  }
}

/// The momentum buffer of parameter `number` of a group, on the device of the parameter.
Tensor& SGD::buffer_of(const Tensor& parameter, std::size_t group, std::size_t number) {
  if (group >= buffers_.size() || number >= buffers_[group].size() ||
      buffers_[group][number].parameter != parameter.impl()) {
    arrange(group);
  }
  Tensor& buffer = buffers_[group][number].buffer;
  if (buffer.defined() && (buffer.device() != parameter.device() || buffer.dtype() != parameter.dtype())) {
    buffer = buffer.to(parameter.device(), parameter.dtype());
  }
  return buffer;
}

/// Sorts the buffers of a group by its parameters, whose order may have changed.
void SGD::arrange(std::size_t group) {
  if (group >= buffers_.size()) buffers_.resize(group + 1);
  std::vector<MomentumBuffer> arranged;
  arranged.reserve(param_groups()[group].params().size());
  for (const Tensor& parameter : param_groups()[group].params()) {
    const auto known = std::find_if(buffers_[group].begin(), buffers_[group].end(),
                                    [&](const MomentumBuffer& entry) { return entry.parameter == parameter.impl(); });
    arranged.push_back({parameter.impl(), known == buffers_[group].end() ? Tensor() : std::move(known->buffer)});
  }
  buffers_[group] = std::move(arranged);
}

Tensor SGD::momentum_buffer(const Tensor& parameter) {
  for (std::size_t g = 0; g < param_groups().size(); ++g) {
    const auto& parameters = param_groups()[g].params();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].is_same(parameter)) return buffer_of(parameter, g, i);
    }
  }
  refuse("the tensor is not a parameter of this optimizer", "param_groups() lists the parameters");
}

std::string SGD::str() const {
  std::string result = "SGD (";
  std::size_t number = 0;
  for (const auto& group : param_groups()) {
    const auto& options = static_cast<const SGDOptions&>(group.options());
    result += fmt::format(
        "\nParameter Group {}\n    dampening: {}\n    differentiable: False\n    foreach: None\n    lr: {}\n    "
        "maximize: False\n    momentum: {}\n    nesterov: {}\n    weight_decay: {}\n",
        number++, text(options.dampening()), text(options.lr()), text(options.momentum()),
        options.nesterov() ? "True" : "False", text(options.weight_decay()));
  }
  return result + ")";
}

std::unique_ptr<OptimizerOptions> SGDOptions::clone() const { return std::make_unique<SGDOptions>(*this); }

}  // namespace d2l::optim
