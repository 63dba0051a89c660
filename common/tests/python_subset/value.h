// SPDX-License-Identifier: MIT
// The values that an expression of the reference cases can have, and their Python form.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
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
/// A name that stands for a function: "torch.ones", or a method with the value it belongs to.
struct Callable {
  std::string name;
  std::shared_ptr<Value> self;
};

struct Value : std::variant<None, bool, std::int64_t, double, std::string, d2l::Tensor, d2l::ScalarType, d2l::Device,
                            Sequence, Slice, Ellipsis, Callable> {
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
/// Python's truth; a tensor is asked by bool().
bool truth(const Value& value);
d2l::Scalar to_scalar(const Value& number);
std::int64_t to_integer(const Value& value);
std::vector<std::int64_t> to_integers(const Value& sequence_or_integer);
d2l::Device to_device(const Value& value);

/// The arguments of a call, taken one by one by position or by name.
class Arguments {
 public:
  Arguments(std::string function, std::vector<Value> positional, std::map<std::string, Value> named)
      : function_(std::move(function)), positional_(std::move(positional)), named_(std::move(named)) {}

  [[nodiscard]] const std::string& function() const { return function_; }
  /// The function is another name of this one.
  void rename(const std::string& function) { function_ = function; }
  [[nodiscard]] std::size_t left() const { return positional_.size() - next_; }
  /// The next positional argument without taking it.
  [[nodiscard]] const Value* peek() const { return left() > 0 ? &positional_[next_] : nullptr; }
  std::optional<Value> take(const std::string& name);
  /// As take(), when only a keyword will do.
  std::optional<Value> take_named(const std::string& name);
  Value require(const std::string& name);
  /// Integers given one by one, or as one sequence.
  std::vector<std::int64_t> take_sizes(const std::string& name);
  bool flag(const std::string& name);
  /// Nothing may be left; what is left is unsupported.
  void finish() const;

 private:
  std::string function_;
  std::vector<Value> positional_;
  std::map<std::string, Value> named_;
  std::size_t next_ = 0;
};

}  // namespace python_subset
