// SPDX-License-Identifier: MIT
// torch.optim.SGD, by its Python names.
#include <array>

#include "python_subset/binding.h"
#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

using d2l::Tensor;
using d2l::optim::OptimizerParamGroup;
using d2l::optim::SGDOptions;

constexpr std::array<const char*, 5> option_names{"lr", "momentum", "dampening", "weight_decay", "nesterov"};

void set_option(SGDOptions& options, const std::string& name, const Value& value) {
  using Setter = SGDOptions& (SGDOptions::*)(double);
  static const std::map<std::string, Setter> setters{{"lr", &SGDOptions::lr},
                                                     {"momentum", &SGDOptions::momentum},
                                                     {"dampening", &SGDOptions::dampening},
                                                     {"weight_decay", &SGDOptions::weight_decay}};
  if (name == "nesterov") {
    options.nesterov(truth(value));
  } else if (const auto setter = setters.find(name); setter != setters.end()) {
    (options.*setter->second)(to<double>(value));
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

Value make_optimizer(Arguments& a) {
  const Value given = a.require("params");
  if (given.is<Tensor>()) throw Unsupported("argument type");
  SGDOptions options(a.require<double>("lr"));
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

}  // namespace

Table optimizers() {
  using Pointer = const OptimizerPointer&;
  return {
      def("torch.optim.SGD", make_optimizer),
      def("Optimizer.step()", [](Pointer optimizer) { optimizer->step(); }),
      def("Optimizer.zero_grad(self, set_to_none)",
          [](Pointer optimizer, bool to_none) { optimizer->zero_grad(to_none); }),
      def("Optimizer.add_param_group(self, param_group)",
          [](Pointer optimizer, const Dictionary& group) {
            const auto& first = optimizer->param_groups().at(0).options();
            optimizer->add_param_group(group_of(group, dynamic_cast<const SGDOptions&>(first)));
          }),
  };
}

Value optimizer_attribute(const OptimizerPointer& optimizer, const std::string& name) {
  if (name != "param_groups") throw Unsupported("Optimizer." + name);
  Sequence groups;
  for (std::size_t i = 0; i < optimizer->param_groups().size(); ++i) {
    groups.items.emplace_back(dictionary_of(optimizer, i));
  }
  return groups;
}

}  // namespace python_subset
