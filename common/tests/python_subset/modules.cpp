// SPDX-License-Identifier: MIT
// The attributes, items and methods of modules, by their Python names.
#include "python_subset/binding.h"
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

Value call_forward(Arguments& a) {
  const auto module = a.require<ModulePointer>("self");
  const auto input = a.require<Tensor>("input");
  if (auto* const loss = module->as<nn::MSELoss>()) return loss->forward(input, a.require<Tensor>("target"));
  if (auto* const loss = module->as<nn::CrossEntropyLoss>()) return loss->forward(input, a.require<Tensor>("target"));
  return module->forward(input);
}

Value to_device_or_dtype(Arguments& a) {
  const auto module = a.require<ModulePointer>("self");
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
  const bool non_blocking = Taken<bool>::take(a, "non_blocking");
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

Value load_state_dict(const ModulePointer& module, const Dictionary& given, OrTrue strict) {
  d2l::StateDict dictionary;
  for (const auto& [key, value] : *given.items) dictionary.insert(key, to<Tensor>(value));
  return module->load_state_dict(dictionary, strict.value);
}

template <class Layer>
decltype(auto) as(const ModulePointer& module, const char* otherwise) {
  auto* const layer = module->as<Layer>();
  if (layer == nullptr) throw Unsupported(otherwise);
  return *layer;
}

/// A method that changes the module and returns it.
template <class Change>
auto changed(const Change& change) {
  return [change](const ModulePointer& module) {
    change(*module);
    return module;
  };
}

}  // namespace

Table module_methods() {
  using Pointer = const ModulePointer&;
  return {
      def("Module.__call__", call_forward),
      def("Module.forward", call_forward),
      def("Module.to", to_device_or_dtype),
      def("Module.cuda(self, device)",
          [](Pointer m, std::optional<d2l::Device> device) {
            m->to(device.value_or(d2l::gpu()));
            return m;
          }),
      def("Module.cpu(self)", changed([](nn::Module& m) { m.cpu(); })),
      def("Module.float(self)", changed([](nn::Module& m) { m.to(d2l::kFloat); })),
      def("Module.double(self)", changed([](nn::Module& m) { m.to(d2l::kDouble); })),
      def("Module.eval(self)", changed([](nn::Module& m) { m.eval(); })),
      def("Module.train(self, mode)",
          [](Pointer m, OrTrue mode) {
            m->train(mode.value);
            return m;
          }),
      def("Module.requires_grad_(self, requires_grad)",
          [](Pointer m, OrTrue wanted) {
            for (const auto& parameter : m->parameters()) parameter.requires_grad_(wanted.value);
            return m;
          }),
      def("Module.zero_grad(self, set_to_none)", [](Pointer m, bool to_none) { m->zero_grad(to_none); }),
      def("Module.parameters(self, recurse)",
          [](Pointer m, OrTrue recurse) { return list_of(m->parameters(recurse.value)); }),
      def("Module.named_parameters(self, prefix, recurse)",
          [](Pointer m, const std::optional<std::string>& prefix, OrTrue recurse) {
            return pairs_of(m->named_parameters(recurse.value), prefix.value_or("").empty() ? "" : *prefix + ".");
          }),
      def("Module.children()", [](Pointer m) { return list_of(m->children()); }),
      def("Module.named_children()", [](Pointer m) { return pairs_of(m->named_children()); }),
      def("Module.modules()", [](Pointer m) { return modules(m, false); }),
      def("Module.named_modules()", [](Pointer m) { return modules(m, true); }),
      def("Module.state_dict()", state_dict),
      def("Module.load_state_dict(self, state_dict, strict)", load_state_dict),
      def("Module.has_uninitialized_params()", [](Pointer m) { return m->has_uninitialized_params(); }),
      def("Module.extra_repr()", [](Pointer m) { return m->extra_repr(); }),
      def("Module.append(self, module)",
          [](Pointer m, Pointer added) {
            as<nn::Sequential>(m, "argument type").push_back(added);
            return m;
          }),
      def("Module.reset_parameters()",
          [](Pointer m) { as<nn::Linear>(m, "Module.reset_parameters").reset_parameters(); }),
  };
}

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
  if (name == "training") return module->is_training();
  if (const auto found = attribute_of_layer(*module, name)) return *found;
  if (const auto* const child = module->named_children().find(name)) return *child;
  throw Unsupported("Module." + name);
}

void set_module_attribute(const ModulePointer& module, const std::string& name, const Value& value) {
  // Only `l.weight += 1` comes here; it assigns the tensor that is there.
  const auto there = attribute_of_layer(*module, name);
  const bool same =
      there && there->is<Tensor>() && value.is<Tensor>() && there->as<Tensor>().is_same(value.as<Tensor>());
  if (!same) throw Unsupported("Module." + name + "=");
}

}  // namespace python_subset
