// SPDX-License-Identifier: MIT
// Python's operators on numbers and tensors.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

using d2l::Tensor;

template <class Operator>
Value on_tensors(const Value& a, const Value& b) {
  const Operator apply;
  if (!b.is<Tensor>()) return apply(a.as<Tensor>(), to_scalar(b));
  if (!a.is<Tensor>()) return apply(to_scalar(a), b.as<Tensor>());
  return apply(a.as<Tensor>(), b.as<Tensor>());
}

struct Power {
  template <class A, class B>
  Tensor operator()(const A& a, const B& b) const {
    return pow(a, b);
  }
};

Value on_tensors(const std::string& symbol, const Value& a, const Value& b) {
  static const std::map<std::string, Value (*)(const Value&, const Value&)> table{
      {"+", on_tensors<std::plus<>>},
      {"-", on_tensors<std::minus<>>},
      {"*", on_tensors<std::multiplies<>>},
      {"/", on_tensors<std::divides<>>},
      {"==", on_tensors<std::equal_to<>>},
      {"!=", on_tensors<std::not_equal_to<>>},
      {"<", on_tensors<std::less<>>},
      {"<=", on_tensors<std::less_equal<>>},
      {">", on_tensors<std::greater<>>},
      {">=", on_tensors<std::greater_equal<>>},
      {"**", on_tensors<Power>}};
  if (symbol == "@" && a.is<Tensor>() && b.is<Tensor>()) return a.as<Tensor>().matmul(b.as<Tensor>());
  const auto found = table.find(symbol);
  if (found == table.end()) throw Unsupported("operator " + symbol);
  return found->second(a, b);
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

/// The name of a type: that of type(), or the last name of nn.Linear.
std::string type_named(const Value& value) {
  if (value.is<Type>()) return value.as<Type>().name;
  if (!value.is<Callable>()) throw Unsupported("is");
  const auto& name = value.as<Callable>().name;
  return name.substr(name.rfind('.') + 1);
}

/// Whether two values of one of these types are equal; nullopt for other values.
template <class... Types>
std::optional<bool> same_as(const Value& a, const Value& b) {
  std::optional<bool> same;
  ((a.is<Types>() && b.is<Types>() ? void(same = a.as<Types>() == b.as<Types>()) : void()), ...);
  return same;
}

bool same_object(const Value& a, const Value& b) {
  if (a.is<Tensor>() && b.is<Tensor>()) return a.as<Tensor>().is_same(b.as<Tensor>());
  if (a.is<None>() || b.is<None>()) return a.is<None>() && b.is<None>();
  if (const auto same = same_as<bool, ModulePointer, OperationPointer, d2l::ScalarType>(a, b)) return *same;
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
  return same_as<ModulePointer, d2l::Device>(a, b).value_or(false) || repr(a) == repr(b);
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

void apply_in_place(const std::string& symbol, const Tensor& a, const Value& b) {
  static const std::map<std::string, std::string> methods{
      {"+", "add_"}, {"-", "sub_"}, {"*", "mul_"}, {"/", "div_"}, {"**", "pow_"}};
  const auto found = methods.find(symbol);
  if (found == methods.end()) throw Unsupported("operator " + symbol + "=");
  Arguments arguments(a.device(), {a, b}, {});
  call("Tensor." + found->second, arguments);
}

}  // namespace python_subset
