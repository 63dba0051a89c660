// SPDX-License-Identifier: MIT
// Attributes and items of every type of value, the methods of dictionaries, and the call of a function by its name.
#include <algorithm>

#include "python_subset/binding.h"
#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

using d2l::Tensor;

const Table& functions() {
  static const Table all = [] {
    Table table = builtins();
    for (auto part :
         {object_methods(), tensor_methods(), torch_functions(), layers(), module_methods(), optimizers()}) {
      table.merge(part);
    }
    return table;
  }();
  return all;
}

Callable method(const Value& object, const std::string& name) { return {name, std::make_shared<Value>(object)}; }

Value attribute_of(const d2l::Device& device, const std::string& name) {
  if (name == "type") return std::string(device.is_cpu() ? "cpu" : "cuda");
  if (name != "index") throw Unsupported("attribute " + name);
  return device.index() < 0 ? Value(None{}) : Value(std::int64_t{device.index()});
}

Value attribute_of(const Sequence& sequence, const std::string& name) {
  const bool extreme = sequence.kind == SequenceKind::maximum || sequence.kind == SequenceKind::minimum;
  if (extreme && name == "values") return sequence.items[0];
  if (extreme && name == "indices") return sequence.items[1];
  return method(sequence, "Sequence." + name);
}

Value attribute_of(const d2l::nn::IncompatibleKeys& keys, const std::string& name) {
  if (name == "missing_keys") return list_of(keys.missing_keys);
  if (name == "unexpected_keys") return list_of(keys.unexpected_keys);
  throw Unsupported("attribute " + name);
}

Value attribute_of(const Callable& callable, const std::string& name) {
  static const std::map<std::string, d2l::ScalarType> dtypes{
      {"torch.bool", d2l::kBool},       {"torch.uint8", d2l::kUInt8},   {"torch.int32", d2l::kInt32},
      {"torch.int", d2l::kInt32},       {"torch.int64", d2l::kInt64},   {"torch.long", d2l::kInt64},
      {"torch.float32", d2l::kFloat32}, {"torch.float", d2l::kFloat32}, {"torch.float64", d2l::kFloat64},
      {"torch.double", d2l::kFloat64}};
  if (callable.self) throw Unsupported("attribute " + name);
  const std::string full = callable.name + "." + name;
  const auto dtype = dtypes.find(full);
  if (dtype != dtypes.end()) return dtype->second;
  return Callable{full, nullptr};
}

Value keys_values_or_items(const Dictionary& dictionary, bool keys, bool values) {
  Sequence list;
  for (const auto& [key, value] : *dictionary.items) {
    list.items.push_back(!values ? Value(key) : !keys ? value : Value(Sequence{SequenceKind::tuple, {key, value}}));
  }
  return list;
}

Value get(const Dictionary& dictionary, const std::string& key, const std::optional<Value>& otherwise) {
  const Value* const found = find(dictionary, key);
  return found != nullptr ? *found : otherwise.value_or(None{});
}

Value pop(const Dictionary& dictionary, const std::string& key, const std::optional<Value>& otherwise) {
  const Value* const found = find(dictionary, key);
  if (found == nullptr && !otherwise) throw Unsupported("KeyError");
  const Value value = get(dictionary, key, otherwise);
  if (found != nullptr) delete_subscript(dictionary, key);
  return value;
}

void update(const Dictionary& dictionary, const Value& other) {
  for (const auto& key : items_of(other)) set_subscript(dictionary, key, subscript(other, key));
}

Dictionary copy_of(const Dictionary& dictionary) {
  Dictionary copy{dictionary.kind};
  *copy.items = *dictionary.items;
  return copy;
}

std::int64_t count_of(const Sequence& sizes) {
  if (sizes.kind != SequenceKind::size) throw Unsupported("attribute numel");
  std::int64_t count = 1;
  for (const auto& size : sizes.items) count *= to_integer(size);
  return count;
}

Value item_of(const Sequence& sequence, const Value& index) {
  const auto& items = sequence.items;
  const auto size = static_cast<std::int64_t>(items.size());
  if (index.is<Slice>()) {
    const auto& slice = index.as<Slice>();
    if (slice.step.value_or(1) != 1) throw Unsupported("sequence index");
    const auto bound = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
    const auto start = bound(slice.start.value_or(0));
    const auto stop = std::max(start, bound(slice.stop.value_or(size)));
    return Sequence{sequence.kind, {items.begin() + start, items.begin() + stop}};
  }
  const auto position = to_integer(index);
  if (position < -size || position >= size) throw Unsupported("sequence index");
  return items[static_cast<std::size_t>(position < 0 ? position + size : position)];
}

}  // namespace

Table object_methods() {
  return {
      def("dict.keys()", [](const Dictionary& d) { return keys_values_or_items(d, true, false); }),
      def("dict.values()", [](const Dictionary& d) { return keys_values_or_items(d, false, true); }),
      def("dict.items()", [](const Dictionary& d) { return keys_values_or_items(d, true, true); }),
      def("dict.get(self, key, default)", get),
      def("dict.pop(self, key, default)", pop),
      def("dict.update(self, other)", update),
      def("dict.copy()", copy_of),
      def("Sequence.numel()", count_of),
      def("Operation.name()", [](const OperationPointer& operation) { return operation->name(); }),
  };
}

Value attribute(const Value& object, const std::string& name) {
  if (name == "__class__") return Type{type_name(object)};
  const auto known = [&](const char* type) { return functions().count(type + name) > 0; };
  if (object.is<Tensor>()) {
    return known("Tensor.") ? method(object, "Tensor." + name) : tensor_attribute(object.as<Tensor>(), name);
  }
  if (object.is<ModulePointer>()) {
    return known("Module.") ? method(object, "Module." + name) : module_attribute(object.as<ModulePointer>(), name);
  }
  if (object.is<OptimizerPointer>()) {
    return known("Optimizer.") ? method(object, "Optimizer." + name)
                               : optimizer_attribute(object.as<OptimizerPointer>(), name);
  }
  if (object.is<OperationPointer>()) return method(object, "Operation." + name);
  if (object.is<Dictionary>()) return method(object, "dict." + name);
  if (object.is<d2l::nn::IncompatibleKeys>()) return attribute_of(object.as<d2l::nn::IncompatibleKeys>(), name);
  if (object.is<Sequence>()) return attribute_of(object.as<Sequence>(), name);
  if (object.is<d2l::Device>()) return attribute_of(object.as<d2l::Device>(), name);
  if (object.is<Type>() && name == "__name__") return object.as<Type>().name;
  if (object.is<Callable>()) return attribute_of(object.as<Callable>(), name);
  throw Unsupported("attribute " + name);
}

void set_attribute(const Value& object, const std::string& name, const Value& value) {
  if (object.is<ModulePointer>()) return set_module_attribute(object.as<ModulePointer>(), name, value);
  if (!object.is<Tensor>()) throw Unsupported("assignment");
  const auto& tensor = object.as<Tensor>();
  if (name == "grad") {
    tensor.set_grad(value.is<None>() ? Tensor() : to<Tensor>(value));
  } else if (name == "data") {
    tensor.set_data(to<Tensor>(value));
  } else if (name == "requires_grad") {
    tensor.set_requires_grad(truth(value));
  } else {
    throw Unsupported("Tensor." + name + "=");
  }
}

Value subscript(const Value& object, const Value& index) {
  if (object.is<Tensor>()) return index_tensor(object.as<Tensor>(), index);
  if (object.is<Sequence>()) return item_of(object.as<Sequence>(), index);
  if (object.is<ModulePointer>()) return item_of_module(object.as<ModulePointer>(), index);
  if (!object.is<Dictionary>()) throw Unsupported("indexing of what is no tensor");
  const Value* const found = find(object.as<Dictionary>(), to_text(index));
  if (found == nullptr) throw Unsupported("KeyError");
  return *found;
}

void set_subscript(const Value& object, const Value& index, const Value& value) {
  if (object.is<Tensor>()) {
    Tensor part = index_tensor(object.as<Tensor>(), index);
    value.is<Tensor>() ? std::move(part) = value.as<Tensor>() : std::move(part) = to_scalar(value);
  } else if (object.is<Dictionary>()) {
    const auto& dictionary = object.as<Dictionary>();
    const auto& key = to_text(index);
    if (dictionary.written) dictionary.written(key, value);
    if (Value* const there = find(dictionary, key)) {
      *there = value;
    } else {
      dictionary.items->emplace_back(key, value);
    }
  } else {
    throw Unsupported("assignment");
  }
}

void delete_subscript(const Value& object, const Value& index) {
  if (!object.is<Dictionary>()) throw Unsupported("del");
  auto& items = *object.as<Dictionary>().items;
  const auto& key = to_text(index);
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.first == key; });
  if (found == items.end()) throw Unsupported("KeyError");
  items.erase(found);
}

Value call(const std::string& name, Arguments& a) {
  const auto found = functions().find(name);
  if (found == functions().end()) {
    const auto type = name.substr(0, name.find('.'));
    if (type == "Sequence" || type == "Operation") throw Unsupported("attribute " + name.substr(type.size() + 1));
    throw Unsupported(type == "torch" || type == "dict" ? name : type);
  }
  Value result = found->second(a);
  a.finish();
  return result;
}

}  // namespace python_subset
