// SPDX-License-Identifier: MIT
// Tables of functions by their Python names, whose entries are C++ lambdas: the types of a lambda's parameters say how
// arguments are taken and converted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "python_subset/value.h"

namespace python_subset {

using Function = std::function<Value(Arguments&)>;
using Table = std::map<std::string, Function>;

// A callee that takes Arguments& gets the arguments as they are. Parameter types besides those that to<T>() makes and
// std::optional of them, which is empty for no argument and None.

/// A flag that is true if it is not given; a `bool` is false.
struct OrTrue {
  bool value = true;
  explicit operator bool() const { return value; }
};
/// An optional argument that has no position.
template <class T>
struct Keyword : std::optional<T> {
  using std::optional<T>::optional;
};
/// Integers given one by one, or as one sequence.
struct Sizes : std::vector<std::int64_t> {};
/// An argument that is not converted if it is None: an undefined tensor stands for it.
struct MaybeTensor : d2l::Tensor {};
/// A device, by default that of the case.
struct Where : d2l::Device {};
/// The keywords dtype, device and requires_grad; `Placed` starts from the device of the case.
struct Options : d2l::TensorOptions {};
struct Placed : d2l::TensorOptions {};

/// How the argument of a parameter of type T is taken.
template <class T>
struct Taken {
  static T take(Arguments& a, const std::string& name) { return a.require<T>(name); }
};
template <>
struct Taken<bool> {
  static bool take(Arguments& a, const std::string& name) { return truth(a.take(name).value_or(false)); }
};
template <>
struct Taken<OrTrue> {
  static OrTrue take(Arguments& a, const std::string& name) { return {truth(a.take(name).value_or(true))}; }
};
template <class T>
std::optional<T> unless_none(const std::optional<Value>& value) {
  return value && !value->is<None>() ? std::optional<T>(to<T>(*value)) : std::nullopt;
}
template <class T>
struct Taken<std::optional<T>> {
  static std::optional<T> take(Arguments& a, const std::string& name) { return unless_none<T>(a.take(name)); }
};
template <class T>
struct Taken<Keyword<T>> {
  static Keyword<T> take(Arguments& a, const std::string& name) {
    const auto value = unless_none<T>(a.take_named(name));
    return value ? Keyword<T>(*value) : Keyword<T>();
  }
};
template <>
struct Taken<Sizes> {
  static Sizes take(Arguments& a, const std::string& name) { return {a.take_sizes(name)}; }
};
template <>
struct Taken<MaybeTensor> {
  static MaybeTensor take(Arguments& a, const std::string& name) {
    return {unless_none<d2l::Tensor>(a.take(name)).value_or(d2l::Tensor())};
  }
};
template <>
struct Taken<Where> {
  static Where take(Arguments& a, const std::string& name) {
    return {unless_none<d2l::Device>(a.take(name)).value_or(a.device())};
  }
};
d2l::TensorOptions take_options(Arguments& a, d2l::TensorOptions options);
template <>
struct Taken<Options> {
  static Options take(Arguments& a, const std::string& /*name*/) { return {take_options(a, {})}; }
};
template <>
struct Taken<Placed> {
  static Placed take(Arguments& a, const std::string& /*name*/) {
    return {take_options(a, d2l::TensorOptions(a.device()))};
  }
};

template <class Result, class... Parameters, class Callee>
Function with_arguments(std::vector<std::string> names, const Callee& callee) {
  names.resize(sizeof...(Parameters));
  return [names = std::move(names), callee](Arguments& a) -> Value {
    [[maybe_unused]] auto name = names.begin();
    // The braces take the arguments from left to right.
    std::tuple<std::decay_t<Parameters>...> arguments{Taken<std::decay_t<Parameters>>::take(a, *name++)...};
    if constexpr (std::is_void_v<Result>) {
      std::apply(callee, arguments);
      return None{};
    } else {
      return std::apply(callee, arguments);
    }
  };
}
template <class Lambda, class Result, class... Parameters>
Function with_arguments(std::vector<std::string> names, const Lambda& lambda, Result (Lambda::*)(Parameters...) const) {
  return with_arguments<Result, Parameters...>(std::move(names), lambda);
}
template <class Result, class... Parameters>
Function with_arguments(std::vector<std::string> names, Result (*function)(Parameters...)) {
  const auto call = [function](Parameters... values) { return function(std::forward<Parameters>(values)...); };
  return with_arguments<Result, Parameters...>(std::move(names), call);
}

/// An entry of a table: a function or lambda, by the signature "name(argument, argument)".
template <class Callee>
Table::value_type def(const std::string& signature, const Callee& callee) {
  const auto open = signature.find('(');
  std::istringstream list(signature.substr(open + 1, signature.find(')') - open - 1));
  std::vector<std::string> names;
  for (std::string name; std::getline(list >> std::ws, name, ',');) names.push_back(name);
  if constexpr (std::is_invocable_v<Callee, Arguments&>) {
    return {signature.substr(0, open), callee};
  } else if constexpr (std::is_class_v<Callee>) {
    return {signature.substr(0, open), with_arguments(std::move(names), callee, &Callee::operator())};
  } else {
    return {signature.substr(0, open), with_arguments(std::move(names), callee)};
  }
}

// The tables, one for each file; the names of methods begin with the type: "Tensor.add".
Table builtins();
Table object_methods();
Table tensor_methods();
Table torch_functions();
Table layers();
Table module_methods();
Table optimizers();

}  // namespace python_subset
