// SPDX-License-Identifier: MIT
// Values of the Python subset: their text, truth and conversions.
#include "python_subset/value.h"

#include "d2l/show.h"

namespace python_subset {
namespace {

std::string join(const std::vector<Value>& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + repr(item);
  return text;
}

std::string repr_of(const Sequence& sequence) {
  if (sequence.kind == SequenceKind::maximum || sequence.kind == SequenceKind::minimum) {
    return std::string("torch.return_types.") + (sequence.kind == SequenceKind::maximum ? "max" : "min") +
           "(\nvalues=" + repr(sequence.items[0]) + ",\nindices=" + repr(sequence.items[1]) + ")";
  }
  const auto inner = join(sequence.items);
  if (sequence.kind == SequenceKind::size) return "torch.Size([" + inner + "])";
  if (sequence.kind == SequenceKind::list) return "[" + inner + "]";
  return "(" + inner + (sequence.items.size() == 1 ? ",)" : ")");
}

struct ReprVisitor {
  std::string operator()(None) const { return "None"; }
  std::string operator()(bool value) const { return d2l::repr(value); }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return d2l::repr(value); }
  std::string operator()(const std::string& value) const { return "'" + value + "'"; }
  std::string operator()(const d2l::Tensor& value) const { return d2l::repr(value); }
  std::string operator()(d2l::ScalarType value) const { return d2l::repr(value); }
  std::string operator()(const d2l::Device& value) const { return d2l::repr(value); }
  std::string operator()(const Sequence& value) const { return repr_of(value); }
  std::string operator()(const Slice&) const { throw Unsupported("repr of a slice"); }
  std::string operator()(Ellipsis) const { return "Ellipsis"; }
  std::string operator()(const Callable& value) const { throw Unsupported(value.name); }
};

}  // namespace

std::string repr(const Value& value) {
  return std::visit(
      ReprVisitor{},
      static_cast<const std::variant<None, bool, std::int64_t, double, std::string, d2l::Tensor, d2l::ScalarType,
                                     d2l::Device, Sequence, Slice, Ellipsis, Callable>&>(value));
}

bool truth(const Value& value) {
  if (value.is<None>()) return false;
  if (value.is_number()) return to_scalar(value).toBool();
  if (value.is<std::string>()) return !value.as<std::string>().empty();
  if (value.is<Sequence>()) return !value.as<Sequence>().items.empty();
  if (value.is<d2l::Tensor>()) return static_cast<bool>(value.as<d2l::Tensor>());
  return true;
}

d2l::Scalar to_scalar(const Value& number) {
  if (number.is<bool>()) return number.as<bool>();
  if (number.is<std::int64_t>()) return number.as<std::int64_t>();
  if (number.is<double>()) return number.as<double>();
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

d2l::Device to_device(const Value& value) {
  if (value.is<d2l::Device>()) return value.as<d2l::Device>();
  if (value.is<std::string>()) return {value.as<std::string>()};
  if (value.is<std::int64_t>()) return d2l::gpu(static_cast<int>(value.as<std::int64_t>()));
  throw Unsupported("argument type");
}

std::optional<Value> Arguments::take(const std::string& name) {
  if (left() > 0) return positional_[next_++];
  return take_named(name);
}

std::optional<Value> Arguments::take_named(const std::string& name) {
  const auto found = named_.find(name);
  if (found == named_.end()) return std::nullopt;
  const Value value = found->second;
  named_.erase(found);
  return value;
}

Value Arguments::require(const std::string& name) {
  if (auto value = take(name)) return *value;
  throw Unsupported("argument type");
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

bool Arguments::flag(const std::string& name) {
  const auto value = take(name);
  return value && truth(*value);
}

void Arguments::finish() const {
  if (left() > 0) throw Unsupported("argument type");
  for (const auto& [name, value] : named_) {
    if (!value.is<None>() && !(value.is<bool>() && !value.as<bool>())) throw Unsupported(name + "=");
  }
}

}  // namespace python_subset
