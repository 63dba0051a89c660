// SPDX-License-Identifier: MIT
// The values that an expression of the reference cases can have, and their Python form.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "d2l/d2l.h"

namespace python_subset {

/// A case uses what this library, or this evaluator, does not have; `what()` is its name.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Value;
struct None {};
struct Ellipsis {};
struct Slice {
  std::optional<std::int64_t> start, stop, step;
};
enum class SequenceKind { list, tuple, size, maximum, minimum };
struct Sequence {
  SequenceKind kind = SequenceKind::list;
  std::vector<Value> items;
};
/// A dictionary with texts for keys; copies are the same one, as in Python.
struct Dictionary {
  using Items = std::vector<std::pair<std::string, Value>>;
  std::string kind = "dict";
  std::shared_ptr<Items> items = std::make_shared<Items>();
  std::function<void(const std::string&, const Value&)> written = nullptr;  ///< if set, called with each assignment
};
/// The name of a function: "torch.ones", or "Tensor.add" with the value that the method belongs to.
struct Callable {
  std::string name;
  std::shared_ptr<Value> self;
};
/// The result of type().
struct Type {
  std::string name;
};
/// The context of a `with`: whether gradients are recorded in it, and afterwards; without `after`, as before.
struct GradientScope {
  bool enabled = false;
  std::optional<bool> after;
};
using ModulePointer = std::shared_ptr<d2l::nn::Module>;
using OptimizerPointer = std::shared_ptr<d2l::optim::Optimizer>;
using OperationPointer = std::shared_ptr<d2l::autograd::Node>;

using Alternatives = std::variant<None, bool, std::int64_t, double, std::string, d2l::Tensor, d2l::ScalarType,
                                  d2l::Device, Sequence, Slice, Ellipsis, Dictionary, Callable, Type, GradientScope,
                                  d2l::nn::IncompatibleKeys, ModulePointer, OptimizerPointer, OperationPointer>;

struct Value : Alternatives {
  using variant::variant;

  template <class T>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<T>(*this);
  }
  template <class T>
  [[nodiscard]] const T& as() const {
    return std::get<T>(*this);
  }
  [[nodiscard]] bool is_number() const { return is<bool>() || is<std::int64_t>() || is<double>(); }
};

/// Python's repr().
std::string repr(const Value& value);
/// The name of Python's type of it.
std::string type_name(const Value& value);
/// The items of a list, a tuple, a dictionary (its keys) or a tensor (its rows).
std::vector<Value> items_of(const Value& iterable);
/// The value of a key; null when it is not there.
Value* find(const Dictionary& dictionary, const std::string& key);
/// Python's truth; a tensor is asked by bool().
bool truth(const Value& value);

// Conversions; Unsupported("argument type") for a value of another type.
d2l::Scalar to_scalar(const Value& number);
const std::string& to_text(const Value& value);
std::int64_t to_integer(const Value& value);
std::vector<std::int64_t> to_integers(const Value& sequence_or_integer);
std::vector<d2l::Tensor> to_tensors(const Value& iterable_or_tensor);
d2l::Device to_device(const Value& value);
/// A dtype, or the Python type that stands for one.
d2l::ScalarType to_dtype(const Value& value);
/// The conversion to T.
template <class T>
T to(const Value& value) {
  if constexpr (std::is_same_v<T, Value>) {
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    return truth(value);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return to_integer(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return to_scalar(value).toDouble();
  } else if constexpr (std::is_same_v<T, d2l::Scalar>) {
    return to_scalar(value);
  } else if constexpr (std::is_same_v<T, d2l::Device>) {
    return to_device(value);
  } else if constexpr (std::is_same_v<T, d2l::ScalarType>) {
    return to_dtype(value);
  } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
    return to_integers(value);
  } else if constexpr (std::is_same_v<T, std::vector<d2l::Tensor>>) {
    return to_tensors(value);
  } else {
    if (!value.is<T>()) throw Unsupported("argument type");
    return value.as<T>();
  }
}
/// A list of these values.
template <class T>
Value list_of(const std::vector<T>& values, SequenceKind kind = SequenceKind::list) {
  return Sequence{kind, {values.begin(), values.end()}};
}

/// The arguments of a call, taken one by one by position or by name. The first of a method is its object.
class Arguments {
 public:
  Arguments(d2l::Device device, std::vector<Value> positional, std::map<std::string, Value> named)
      : device_(device), positional_(std::move(positional)), named_(std::move(named)) {}

  /// Where tensors are created without a `device=`.
  [[nodiscard]] const d2l::Device& device() const { return device_; }
  [[nodiscard]] std::size_t left() const { return positional_.size() - next_; }
  /// The next positional argument without taking it.
  [[nodiscard]] const Value* peek() const { return left() > 0 ? &positional_[next_] : nullptr; }
  std::optional<Value> take(const std::string& name);
  /// As take(), of a keyword argument only.
  std::optional<Value> take_named(const std::string& name);
  /// An argument that must be there.
  template <class T = Value>
  T require(const std::string& name) {
    if (const auto value = take(name)) return to<T>(*value);
    throw Unsupported("argument type");
  }
  /// Integers given one by one, or as one sequence.
  std::vector<std::int64_t> take_sizes(const std::string& name);
  /// The keyword arguments that are left, all taken.
  std::map<std::string, Value> take_all_named() { return std::exchange(named_, {}); }
  [[nodiscard]] bool has_named(const std::string& name) const { return named_.count(name) > 0; }
  /// Unsupported if an argument is left.
  void finish() const;

 private:
  d2l::Device device_;
  std::vector<Value> positional_;
  std::map<std::string, Value> named_;
  std::size_t next_ = 0;
};

}  // namespace python_subset
