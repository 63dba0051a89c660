// SPDX-License-Identifier: MIT
// What the Python of the reference cases asks of modules: attributes, items and methods.
#include "python_subset/modules.h"

#include <functional>
#include <map>
#include <set>

#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

using d2l::Tensor;
namespace nn = d2l::nn;

Value or_none(const Tensor& tensor) { return tensor.defined() ? Value(tensor) : Value(None{}); }

std::string name_of(d2l::Reduction::Reduction reduction) {
  if (reduction == d2l::Reduction::None) return "none";
  return reduction == d2l::Reduction::Mean ? "mean" : "sum";
}

std::optional<Value> attribute_of_layer(nn::Module& module, const std::string& name) {
  if (auto* const linear = module.as<nn::Linear>()) {
    if (name == "weight") return or_none(linear->weight);
    if (name == "bias") return or_none(linear->bias);
    if (name == "in_features") return linear->options.in_features();
    if (name == "out_features") return linear->options.out_features();
  }
  if (auto* const flatten = module.as<nn::Flatten>()) {
    if (name == "start_dim") return flatten->options.start_dim();
    if (name == "end_dim") return flatten->options.end_dim();
  }
  if (auto* const relu = module.as<nn::ReLU>()) {
    if (name == "inplace") return relu->options.inplace();
  }
  if (auto* const loss = module.as<nn::MSELoss>()) {
    if (name == "reduction") return name_of(loss->options.reduction());
  }
  if (auto* const loss = module.as<nn::CrossEntropyLoss>()) {
    if (name == "reduction") return name_of(loss->options.reduction());
    if (name == "ignore_index") return loss->options.ignore_index();
  }
  return std::nullopt;
}

Value call_forward(const ModulePointer& module, Arguments& a) {
  const Tensor input = to_tensor(a.require("input"));
  if (auto* const loss = module->as<nn::MSELoss>()) return loss->forward(input, to_tensor(a.require("target")));
  if (auto* const loss = module->as<nn::CrossEntropyLoss>())
    return loss->forward(input, to_tensor(a.require("target")));
  return module->forward(input);
}

Value to(const ModulePointer& module, Arguments& a) {
  std::optional<d2l::Device> device;
  std::optional<d2l::ScalarType> dtype;
  const auto note = [&](const Value& value) {
    if (value.is<Tensor>()) {
      device = value.as<Tensor>().device();
      dtype = value.as<Tensor>().dtype();
    } else if (value.is<d2l::ScalarType>()) {
      dtype = value.as<d2l::ScalarType>();
    } else if (!value.is<None>()) {
      device = to_device(value);
    }
  };
  while (a.peek() != nullptr && !a.peek()->is<bool>()) note(a.require("device"));
  for (const char* name : {"device", "dtype"}) {
    if (const auto value = a.take_named(name)) note(*value);
  }
  const bool non_blocking = a.flag("non_blocking");
  if (device && dtype) {
    module->to(*device, *dtype, non_blocking);
  } else if (device) {
    module->to(*device, non_blocking);
  } else if (dtype) {
    module->to(*dtype, non_blocking);
  }
  return module;
}

template <class Items>
Value pairs_of(const Items& items, const std::string& prefix = "") {
  Sequence list{SequenceKind::list, {}};
  for (const auto& item : items) {
    list.items.emplace_back(Sequence{SequenceKind::tuple, {prefix + item.key(), Value(item.value())}});
  }
  return list;
}

Value named_parameters(const ModulePointer& module, Arguments& a) {
  const auto prefix = a.take("prefix");
  const auto recurse = a.take("recurse");
  const std::string before = prefix && !to_text(*prefix).empty() ? to_text(*prefix) + "." : "";
  return pairs_of(module->named_parameters(!recurse || truth(*recurse)), before);
}

void add_modules(const ModulePointer& module, const std::string& name, Sequence& list) {
  list.items.emplace_back(Sequence{SequenceKind::tuple, {name, module}});
  for (const auto& child : module->named_children()) {
    add_modules(child.value(), name.empty() ? child.key() : name + "." + child.key(), list);
  }
}

Value modules(const ModulePointer& module, bool named) {
  Sequence pairs{SequenceKind::list, {}};
  add_modules(module, "", pairs);
  if (named) return pairs;
  Sequence list{SequenceKind::list, {}};
  for (const auto& pair : pairs.items) list.items.push_back(pair.as<Sequence>().items[1]);
  return list;
}

Value state_dict(const ModulePointer& module) {
  Dictionary dictionary{"OrderedDict"};
  for (const auto& item : module->state_dict()) dictionary.items->emplace_back(item.key(), item.value());
  return dictionary;
}

Value load_state_dict(const ModulePointer& module, Arguments& a) {
  const Value given = a.require("state_dict");
  const auto strict = a.take("strict");
  if (!given.is<Dictionary>()) throw Unsupported("argument type");
  d2l::StateDict dictionary;
  for (const auto& [key, value] : *given.as<Dictionary>().items) dictionary.insert(key, to_tensor(value));
  return module->load_state_dict(dictionary, !strict || truth(*strict));
}

Value zero_grad(const ModulePointer& module, Arguments& a) {
  module->zero_grad(a.flag("set_to_none"));
  return None{};
}

Value append(const ModulePointer& module, Arguments& a) {
  auto* const sequential = module->as<nn::Sequential>();
  const Value added = a.require("module");
  if (sequential == nullptr || !added.is<ModulePointer>()) throw Unsupported("argument type");
  sequential->push_back(added.as<ModulePointer>());
  return module;
}

Value requires_grad(const ModulePointer& module, Arguments& a) {
  const auto wanted = a.take("requires_grad");
  for (const auto& parameter : module->parameters()) parameter.requires_grad_(!wanted || truth(*wanted));
  return module;
}

Value reset_parameters(const ModulePointer& module) {
  auto* const linear = module->as<nn::Linear>();
  if (linear == nullptr) throw Unsupported("Module.reset_parameters");
  linear->reset_parameters();
  return None{};
}

using Method = std::function<Value(const ModulePointer&, Arguments&)>;

const std::map<std::string, Method>& methods() {
  static const std::map<std::string, Method> table{
      {"__call__", call_forward},
      {"forward", call_forward},
      {"to", to},
      {"cuda",
       [](const ModulePointer& m, Arguments& a) {
         const auto device = a.take("device");
         m->to(device ? to_device(*device) : d2l::gpu());
         return Value(m);
       }},
      {"cpu", [](const ModulePointer& m, Arguments&) { return m->cpu(), Value(m); }},
      {"float", [](const ModulePointer& m, Arguments&) { return m->to(d2l::kFloat), Value(m); }},
      {"double", [](const ModulePointer& m, Arguments&) { return m->to(d2l::kDouble), Value(m); }},
      {"train",
       [](const ModulePointer& m, Arguments& a) {
         const auto mode = a.take("mode");
         m->train(!mode || truth(*mode));
         return Value(m);
       }},
      {"eval", [](const ModulePointer& m, Arguments&) { return m->eval(), Value(m); }},
      {"zero_grad", zero_grad},
      {"parameters",
       [](const ModulePointer& m, Arguments& a) {
         const auto recurse = a.take("recurse");
         return list_of(m->parameters(!recurse || truth(*recurse)));
       }},
      {"named_parameters", named_parameters},
      {"children", [](const ModulePointer& m, Arguments&) { return list_of(m->children()); }},
      {"named_children", [](const ModulePointer& m, Arguments&) { return pairs_of(m->named_children()); }},
      {"modules", [](const ModulePointer& m, Arguments&) { return modules(m, false); }},
      {"named_modules", [](const ModulePointer& m, Arguments&) { return modules(m, true); }},
      {"state_dict", [](const ModulePointer& m, Arguments&) { return state_dict(m); }},
      {"load_state_dict", load_state_dict},
      {"has_uninitialized_params",
       [](const ModulePointer& m, Arguments&) { return Value(m->has_uninitialized_params()); }},
      {"extra_repr", [](const ModulePointer& m, Arguments&) { return Value(m->extra_repr()); }},
      {"append", append},
      {"requires_grad_", requires_grad},
      {"reset_parameters", [](const ModulePointer& m, Arguments&) { return reset_parameters(m); }},
  };
  return table;
}

}  // namespace

std::vector<Value> items_of_module(const ModulePointer& module) {
  if (module->as<nn::Sequential>() == nullptr) throw Unsupported("iteration");
  std::vector<Value> items;
  for (const auto& child : module->children()) items.emplace_back(child);
  return items;
}

Value item_of_module(const ModulePointer& module, const Value& index) {
  auto* const sequential = module->as<nn::Sequential>();
  if (sequential == nullptr || index.is<Slice>()) throw Unsupported("part of a module");
  return (*sequential)[to_integer(index)];
}

Value module_attribute(const ModulePointer& module, const std::string& name) {
  if (methods().count(name) > 0) return Callable{name, std::make_shared<Value>(module)};
  if (name == "training") return module->is_training();
  if (const auto found = attribute_of_layer(*module, name)) return *found;
  if (const auto* const child = module->named_children().find(name)) return *child;
  throw Unsupported("Module." + name);
}

void set_module_attribute(const ModulePointer& module, const std::string& name, const Value& value) {
  // What is assigned must be what is there: `l.weight.grad = None` goes by the parameter, `l.weight += 1` comes here.
  const auto there = attribute_of_layer(*module, name);
  const bool same =
      there && there->is<Tensor>() && value.is<Tensor>() && there->as<Tensor>().is_same(value.as<Tensor>());
  if (!same) throw Unsupported("Module." + name + "=");
}

Value call_module_method(const ModulePointer& module, Arguments& a) { return methods().at(a.function())(module, a); }

Value clone_of_module(const ModulePointer& module) { return module->clone(); }

}  // namespace python_subset
