// SPDX-License-Identifier: MIT
// Python's operators on numbers and tensors.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

using d2l::Scalar;
using d2l::Tensor;

struct TensorOperator {
  std::function<Tensor(const Tensor&, const Tensor&)> tensors;
  std::function<Tensor(const Tensor&, const Scalar&)> number_right;
  std::function<Tensor(const Scalar&, const Tensor&)> number_left;
};

#define TENSOR_OPERATOR(symbol)                                        \
  {                                                                    \
#symbol, {                                                         \
      [](const Tensor& a, const Tensor& b) { return a symbol b; },     \
          [](const Tensor& a, const Scalar& b) { return a symbol b; }, \
          [](const Scalar& a, const Tensor& b) { return a symbol b; }  \
    }                                                                  \
  }

const std::map<std::string, TensorOperator>& tensor_operators() {
  static const std::map<std::string, TensorOperator> table{
      TENSOR_OPERATOR(+),
      TENSOR_OPERATOR(-),
      TENSOR_OPERATOR(*),
      TENSOR_OPERATOR(/),
      TENSOR_OPERATOR(==),
      TENSOR_OPERATOR(!=),
      TENSOR_OPERATOR(<),
      TENSOR_OPERATOR(<=),
      TENSOR_OPERATOR(>),
      TENSOR_OPERATOR(>=),
      {"**",
       {[](const Tensor& a, const Tensor& b) { return pow(a, b); },
        [](const Tensor& a, const Scalar& b) { return pow(a, b); },
        [](const Scalar& a, const Tensor& b) { return pow(a, b); }}},
  };
  return table;
}

#undef TENSOR_OPERATOR

Value on_tensors(const std::string& symbol, const Value& a, const Value& b) {
  if (symbol == "@" && a.is<Tensor>() && b.is<Tensor>()) return a.as<Tensor>().matmul(b.as<Tensor>());
  const auto found = tensor_operators().find(symbol);
  if (found == tensor_operators().end()) throw Unsupported("operator " + symbol);
  if (!b.is<Tensor>()) return found->second.number_right(a.as<Tensor>(), to_scalar(b));
  if (!a.is<Tensor>()) return found->second.number_left(to_scalar(a), b.as<Tensor>());
  return found->second.tensors(a.as<Tensor>(), b.as<Tensor>());
}

Value on_reals(const std::string& symbol, double a, double b) {
  if (symbol == "+") return a + b;
  if (symbol == "-") return a - b;
  if (symbol == "*") return a * b;
  if (symbol == "/" && b != 0) return a / b;
  if (symbol == "**") return std::pow(a, b);
  throw Unsupported("operator " + symbol);
}

Value on_integers(const std::string& symbol, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (symbol == "+" && !__builtin_add_overflow(a, b, &result)) return result;
  if (symbol == "-" && !__builtin_sub_overflow(a, b, &result)) return result;
  if (symbol == "*" && !__builtin_mul_overflow(a, b, &result)) return result;
  if (symbol == "**" && b >= 0) {
    result = 1;
    for (std::int64_t i = 0; i < b; ++i) {
      if (__builtin_mul_overflow(result, a, &result)) throw Unsupported("integer beyond 64 bits");
    }
    return result;
  }
  return on_reals(symbol, static_cast<double>(a), static_cast<double>(b));
}

/// The name of a type, of type() or as the code names it: Linear of nn.Linear.
std::string type_named(const Value& value) {
  if (value.is<Type>()) return value.as<Type>().name;
  if (!value.is<Callable>()) throw Unsupported("is");
  const auto& name = value.as<Callable>().name;
  return name.substr(name.rfind('.') + 1);
}

bool same_object(const Value& a, const Value& b) {
  if (a.is<Tensor>() && b.is<Tensor>()) return a.as<Tensor>().is_same(b.as<Tensor>());
  if (a.is<None>() || b.is<None>()) return a.is<None>() && b.is<None>();
  if (a.is<bool>() && b.is<bool>()) return a.as<bool>() == b.as<bool>();
  if (a.is<ModulePointer>() && b.is<ModulePointer>()) return a.as<ModulePointer>() == b.as<ModulePointer>();
  if (a.is<OperationPointer>() && b.is<OperationPointer>()) return a.as<OperationPointer>() == b.as<OperationPointer>();
  if (a.is<d2l::ScalarType>() && b.is<d2l::ScalarType>()) return a.as<d2l::ScalarType>() == b.as<d2l::ScalarType>();
  if (a.is<Type>() || b.is<Type>()) return type_named(a) == type_named(b);
  if (a.index() != b.index()) return false;
  throw Unsupported("is");
}

/// Joined by +, or repeated by *.
Value on_sequences(const std::string& symbol, const Value& a, const Value& b) {
  if (!a.is<Sequence>()) return on_sequences(symbol, b, a);
  Sequence result{a.as<Sequence>().kind, a.as<Sequence>().items};
  if (symbol == "+" && b.is<Sequence>()) {
    for (const auto& item : b.as<Sequence>().items) result.items.push_back(item);
    return result;
  }
  if (symbol != "*") throw Unsupported("operator " + symbol);
  result.items.clear();
  for (std::int64_t i = 0; i < to_integer(b); ++i) {
    for (const auto& item : a.as<Sequence>().items) result.items.push_back(item);
  }
  return result;
}

bool equal_values(const Value& a, const Value& b) {
  if (a.is<Sequence>() && b.is<Sequence>()) {
    const auto& left = a.as<Sequence>().items;
    const auto& right = b.as<Sequence>().items;
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), equal_values);
  }
  if (a.is_number() && b.is_number()) return to_scalar(a).toDouble() == to_scalar(b).toDouble();
  if (a.is<Type>() || b.is<Type>()) return type_named(a) == type_named(b);
  if (a.index() != b.index()) return false;
  if (a.is<ModulePointer>()) return a.as<ModulePointer>() == b.as<ModulePointer>();
  if (a.is<d2l::Device>()) return a.as<d2l::Device>() == b.as<d2l::Device>();
  return repr(a) == repr(b);
}

bool is_in(const Value& item, const Value& container) {
  if (container.is<std::string>()) return container.as<std::string>().find(to_text(item)) != std::string::npos;
  const auto items = items_of(container);
  return std::any_of(items.begin(), items.end(), [&](const Value& other) { return equal_values(item, other); });
}

}  // namespace

Value apply_binary(const std::string& symbol, const Value& a, const Value& b) {
  if (a.is<Tensor>() || b.is<Tensor>()) return on_tensors(symbol, a, b);
  if (symbol == "+" && a.is<std::string>() && b.is<std::string>()) return a.as<std::string>() + b.as<std::string>();
  if (a.is<Sequence>() || b.is<Sequence>()) return on_sequences(symbol, a, b);
  if (!a.is_number() || !b.is_number()) throw Unsupported("argument type");
  if (a.is<double>() || b.is<double>()) return on_reals(symbol, to_scalar(a).toDouble(), to_scalar(b).toDouble());
  return on_integers(symbol, to_integer(a), to_integer(b));
}

Value apply_comparison(const std::string& symbol, const Value& a, const Value& b) {
  if (symbol == "in") return is_in(a, b);
  if (symbol == "not in") return !is_in(a, b);
  if (symbol == "is") return same_object(a, b);
  if (symbol == "is not") return !same_object(a, b);
  if ((a.is<Tensor>() && (b.is<Tensor>() || b.is_number())) || (b.is<Tensor>() && a.is_number())) {
    return on_tensors(symbol, a, b);
  }
  if (symbol == "==") return equal_values(a, b);
  if (symbol == "!=") return !equal_values(a, b);
  const double left = to_scalar(a).toDouble();
  const double right = to_scalar(b).toDouble();
  if (symbol == "<") return left < right;
  if (symbol == "<=") return left <= right;
  return symbol == ">" ? left > right : left >= right;
}

void apply_in_place(const std::string& symbol, Tensor& a, const Value& b) {
  const bool tensor = b.is<Tensor>();
  if (symbol == "+") {
    tensor ? a += b.as<Tensor>() : a += to_scalar(b);
  } else if (symbol == "-") {
    tensor ? a -= b.as<Tensor>() : a -= to_scalar(b);
  } else if (symbol == "*") {
    tensor ? a *= b.as<Tensor>() : a *= to_scalar(b);
  } else if (symbol == "/") {
    tensor ? a /= b.as<Tensor>() : a /= to_scalar(b);
  } else if (symbol == "**") {
    tensor ? a.pow_(b.as<Tensor>()) : a.pow_(to_scalar(b));
  } else {
    throw Unsupported("operator " + symbol + "=");
  }
}

}  // namespace python_subset
