// SPDX-License-Identifier: MIT
// Truth and conversions of values, and the arguments of calls.
#include "python_subset/value.h"

#include "python_subset/evaluator.h"

namespace python_subset {
std::vector<Value> items_of(const Value& iterable) {
  if (iterable.is<Sequence>()) return iterable.as<Sequence>().items;
  std::vector<Value> items;
  if (iterable.is<Dictionary>()) {
    for (const auto& item : *iterable.as<Dictionary>().items) items.emplace_back(item.first);
    return items;
  }
  if (iterable.is<d2l::Tensor>() && iterable.as<d2l::Tensor>().dim() > 0) {
    const auto& rows = iterable.as<d2l::Tensor>();
    for (std::int64_t i = 0; i < rows.size(0); ++i) items.emplace_back(rows[i]);
    return items;
  }
  if (iterable.is<d2l::nn::IncompatibleKeys>()) {
    const auto& keys = iterable.as<d2l::nn::IncompatibleKeys>();
    return {list_of(keys.missing_keys), list_of(keys.unexpected_keys)};
  }
  if (iterable.is<ModulePointer>()) return items_of_module(iterable.as<ModulePointer>());
  throw Unsupported("iteration");
}

Value* find(const Dictionary& dictionary, const std::string& key) {
  for (auto& item : *dictionary.items) {
    if (item.first == key) return &item.second;
  }
  return nullptr;
}

bool truth(const Value& value) {
  if (value.is<None>()) return false;
  if (value.is_number()) return to_scalar(value).toBool();
  if (value.is<std::string>()) return !value.as<std::string>().empty();
  if (value.is<Sequence>()) return !value.as<Sequence>().items.empty();
  if (value.is<Dictionary>()) return !value.as<Dictionary>().items->empty();
  if (value.is<d2l::Tensor>()) return static_cast<bool>(value.as<d2l::Tensor>());
  return true;
}

d2l::Scalar to_scalar(const Value& number) {
  if (number.is<bool>()) return number.as<bool>();
  if (number.is<std::int64_t>()) return number.as<std::int64_t>();
  if (number.is<double>()) return number.as<double>();
  throw Unsupported("argument type");
}

const std::string& to_text(const Value& value) {
  if (value.is<std::string>()) return value.as<std::string>();
  throw Unsupported("argument type");
}

std::int64_t to_integer(const Value& value) {
  if (value.is<bool>()) return value.as<bool>() ? 1 : 0;
  if (value.is<std::int64_t>()) return value.as<std::int64_t>();
  throw Unsupported("argument type");
}

std::vector<std::int64_t> to_integers(const Value& value) {
  if (!value.is<Sequence>()) return {to_integer(value)};
  std::vector<std::int64_t> result;
  for (const auto& item : value.as<Sequence>().items) result.push_back(to_integer(item));
  return result;
}

std::vector<d2l::Tensor> to_tensors(const Value& value) {
  if (value.is<d2l::Tensor>()) return {value.as<d2l::Tensor>()};
  std::vector<d2l::Tensor> tensors;
  for (const auto& item : items_of(value)) tensors.push_back(to<d2l::Tensor>(item));
  return tensors;
}

d2l::Device to_device(const Value& value) {
  if (value.is<d2l::Device>()) return value.as<d2l::Device>();
  if (value.is<std::string>()) return {value.as<std::string>()};
  if (value.is<std::int64_t>()) return d2l::gpu(static_cast<int>(value.as<std::int64_t>()));
  throw Unsupported("argument type");
}

d2l::ScalarType to_dtype(const Value& value) {
  static const std::map<std::string, d2l::ScalarType> python_types{
      {"bool", d2l::kBool}, {"int", d2l::kInt64}, {"float", d2l::kFloat64}};
  if (value.is<d2l::ScalarType>()) return value.as<d2l::ScalarType>();
  if (!value.is<Callable>()) throw Unsupported("argument type");
  const auto found = python_types.find(value.as<Callable>().name);
  if (found == python_types.end()) throw Unsupported(value.as<Callable>().name);
  return found->second;
}

std::optional<Value> Arguments::take(const std::string& name) {
  if (left() > 0) return positional_[next_++];
  return take_named(name);
}

std::optional<Value> Arguments::take_named(const std::string& name) {
  auto node = named_.extract(name);
  return node ? std::optional(std::move(node.mapped())) : std::nullopt;
}

std::vector<std::int64_t> Arguments::take_sizes(const std::string& name) {
  std::vector<std::int64_t> sizes;
  if (left() == 0) {
    if (const auto value = take_named(name)) sizes = to_integers(*value);
    return sizes;
  }
  if (peek()->is<Sequence>()) return to_integers(positional_[next_++]);
  while (left() > 0) sizes.push_back(to_integer(positional_[next_++]));
  return sizes;
}

void Arguments::finish() const {
  if (left() > 0) throw Unsupported("argument type");
  for (const auto& [name, value] : named_) {
    if (!value.is<None>() && !(value.is<bool>() && !value.as<bool>())) throw Unsupported(name + "=");
  }
}

}  // namespace python_subset
