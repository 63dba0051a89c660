// SPDX-License-Identifier: MIT
// Attributes, items and methods of every kind of value.
#include <algorithm>
#include <map>

#include "python_subset/evaluator.h"
#include "python_subset/modules.h"
#include "python_subset/optimizers.h"

namespace python_subset {
namespace {

using d2l::Tensor;

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
  return method(sequence, name);
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

Value call_dictionary_method(const Dictionary& dictionary, Arguments& a) {
  const auto& name = a.function();
  Sequence list{SequenceKind::list, {}};
  if (name == "keys" || name == "values" || name == "items") {
    for (const auto& [key, value] : *dictionary.items) {
      const Sequence pair{SequenceKind::tuple, {key, value}};
      list.items.push_back(name == "keys" ? Value(key) : name == "values" ? value : Value(pair));
    }
    return list;
  }
  if (name == "get" || name == "pop") {
    const Value key = a.require("key");
    const auto otherwise = a.take("default");
    const Value* const found = find(dictionary, to_text(key));
    if (found == nullptr && name == "pop" && !otherwise) throw Unsupported("KeyError");
    if (found == nullptr) return otherwise.value_or(None{});
    const Value value = *found;
    if (name == "pop") delete_subscript(dictionary, key);
    return value;
  }
  if (name == "update") {
    const Value other = a.require("other");
    for (const auto& key : items_of(other)) set_subscript(dictionary, key, subscript(other, key));
    return None{};
  }
  if (name == "copy") {
    Dictionary copy{dictionary.kind};
    *copy.items = *dictionary.items;
    return copy;
  }
  throw Unsupported("dict." + name);
}

Value call_sequence_method(const Sequence& sequence, Arguments& a) {
  if (a.function() != "numel" || sequence.kind != SequenceKind::size) throw Unsupported("attribute " + a.function());
  std::int64_t count = 1;
  for (const auto& size : sequence.items) count *= to_integer(size);
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

Value attribute(const Value& object, const std::string& name) {
  if (name == "__class__") return Type{type_name(object)};
  if (object.is<Tensor>()) {
    if (is_tensor_method(name)) return method(object, name);
    return tensor_attribute(object.as<Tensor>(), name);
  }
  if (object.is<ModulePointer>()) return module_attribute(object.as<ModulePointer>(), name);
  if (object.is<OptimizerPointer>()) return optimizer_attribute(object.as<OptimizerPointer>(), name);
  if (object.is<OperationPointer>()) return method(object, name);
  if (object.is<Dictionary>()) return method(object, name);
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
    tensor.set_grad(value.is<None>() ? Tensor() : to_tensor(value));
  } else if (name == "data") {
    tensor.set_data(to_tensor(value));
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

Value call_method(const Value& self, Arguments& a) {
  if (self.is<Tensor>()) return call_tensor_method(self.as<Tensor>(), a);
  if (self.is<ModulePointer>()) return call_module_method(self.as<ModulePointer>(), a);
  if (self.is<OptimizerPointer>()) return call_optimizer_method(self.as<OptimizerPointer>(), a);
  if (self.is<Dictionary>()) return call_dictionary_method(self.as<Dictionary>(), a);
  if (self.is<Sequence>()) return call_sequence_method(self.as<Sequence>(), a);
  if (self.is<OperationPointer>() && a.function() == "name") return self.as<OperationPointer>()->name();
  throw Unsupported(a.function() == "__call__" ? "call of a value" : "attribute " + a.function());
}

}  // namespace python_subset
