// SPDX-License-Identifier: MIT
// torch.optim.SGD and torch.nn.utils.clip_grad_norm_.
#include "python_subset/optimizers.h"

#include <array>

namespace python_subset {
namespace {

using d2l::Tensor;
using d2l::optim::OptimizerParamGroup;
using d2l::optim::SGDOptions;

constexpr std::array<const char*, 5> option_names{"lr", "momentum", "dampening", "weight_decay", "nesterov"};

void set_option(SGDOptions& options, const std::string& name, const Value& value) {
  if (name == "lr") {
    options.lr(to_scalar(value).toDouble());
  } else if (name == "momentum") {
    options.momentum(to_scalar(value).toDouble());
  } else if (name == "dampening") {
    options.dampening(to_scalar(value).toDouble());
  } else if (name == "weight_decay") {
    options.weight_decay(to_scalar(value).toDouble());
  } else if (name == "nesterov") {
    options.nesterov(truth(value));
  } else {
    throw Unsupported(name + "=");
  }
}

OptimizerParamGroup group_of(const Dictionary& given, const SGDOptions& defaults) {
  const Value* const parameters = find(given, "params");
  if (parameters == nullptr) throw Unsupported("argument type");
  auto options = std::make_unique<SGDOptions>(defaults);
  for (const auto& [name, value] : *given.items) {
    if (name != "params") set_option(*options, name, value);
  }
  return {to_tensors(*parameters), std::move(options)};
}

/// The group as Python shows it; what is assigned to it reaches the optimizer.
Dictionary dictionary_of(const OptimizerPointer& optimizer, std::size_t index) {
  const auto& group = optimizer->param_groups()[index];
  const auto& options = dynamic_cast<const SGDOptions&>(group.options());
  Dictionary dictionary;
  dictionary.items->emplace_back("params", list_of(group.params()));
  dictionary.items->emplace_back("lr", options.lr());
  dictionary.items->emplace_back("momentum", options.momentum());
  dictionary.items->emplace_back("dampening", options.dampening());
  dictionary.items->emplace_back("weight_decay", options.weight_decay());
  dictionary.items->emplace_back("nesterov", options.nesterov());
  dictionary.written = [optimizer, index](const std::string& name, const Value& value) {
    set_option(dynamic_cast<SGDOptions&>(optimizer->param_groups()[index].options()), name, value);
  };
  return dictionary;
}

}  // namespace

Value make_optimizer(Arguments& a) {
  if (a.function() != "torch.optim.SGD") throw Unsupported(a.function());
  const Value given = a.require("params");
  if (given.is<Tensor>()) throw Unsupported("argument type");
  const auto lr = a.take("lr");
  if (!lr) throw Unsupported("argument type");
  SGDOptions options(to_scalar(*lr).toDouble());
  for (std::size_t i = 1; i < option_names.size(); ++i) {
    if (const auto value = a.take(option_names[i])) set_option(options, option_names[i], *value);
  }
  const auto items = items_of(given);
  if (!items.empty() && items[0].is<Dictionary>()) {
    std::vector<OptimizerParamGroup> groups;
    for (const auto& item : items) {
      if (!item.is<Dictionary>()) throw Unsupported("argument type");
      groups.push_back(group_of(item.as<Dictionary>(), options));
    }
    return std::make_shared<d2l::optim::SGD>(std::move(groups), options);
  }
  return std::make_shared<d2l::optim::SGD>(to_tensors(given), options);
}

Value optimizer_attribute(const OptimizerPointer& optimizer, const std::string& name) {
  if (name == "step" || name == "zero_grad" || name == "add_param_group") {
    return Callable{name, std::make_shared<Value>(optimizer)};
  }
  if (name != "param_groups") throw Unsupported("Optimizer." + name);
  Sequence groups{SequenceKind::list, {}};
  for (std::size_t i = 0; i < optimizer->param_groups().size(); ++i) {
    groups.items.emplace_back(dictionary_of(optimizer, i));
  }
  return groups;
}

Value call_optimizer_method(const OptimizerPointer& optimizer, Arguments& a) {
  const auto& name = a.function();
  if (name == "step") {
    optimizer->step();
  } else if (name == "zero_grad") {
    optimizer->zero_grad(a.flag("set_to_none"));
  } else if (name == "add_param_group") {
    const Value group = a.require("param_group");
    if (!group.is<Dictionary>()) throw Unsupported("argument type");
    const auto& first = optimizer->param_groups().at(0).options();
    optimizer->add_param_group(group_of(group.as<Dictionary>(), dynamic_cast<const SGDOptions&>(first)));
  } else {
    throw Unsupported("Optimizer." + name);
  }
  return None{};
}

Value clip_grad_norm(Arguments& a) {
  const Value given = a.require("parameters");
  const double max_norm = to_scalar(a.require("max_norm")).toDouble();
  const auto kind = a.take("norm_type");
  const double norm_type = kind ? to_scalar(*kind).toDouble() : 2.0;
  const bool refuses = a.flag("error_if_nonfinite");
  if (given.is<Tensor>())
    return d2l::nn::utils::clip_grad_norm_(given.as<Tensor>(), max_norm, norm_type, refuses).tensor();
  return d2l::nn::utils::clip_grad_norm_(to_tensors(given), max_norm, norm_type, refuses).tensor();
}

}  // namespace python_subset
