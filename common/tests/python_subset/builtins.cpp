// SPDX-License-Identifier: MIT
// A few builtins of Python.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "python_subset/evaluator.h"
#include "python_subset/modules.h"

namespace python_subset {
namespace {

using d2l::Scalar;
using d2l::Tensor;
using Builtin = std::function<Value(Arguments&)>;

/// float(x), int(x): of a tensor by way of item().
Value number(Arguments& a, bool real) {
  Value value = a.require("x");
  if (value.is<std::string>()) {
    const auto& text = value.as<std::string>();
    const double infinity = std::numeric_limits<double>::infinity();
    if (real && text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (real && (text == "inf" || text == "-inf")) return text == "inf" ? infinity : -infinity;
    throw Unsupported("number syntax");
  }
  const Scalar scalar = value.is<Tensor>() ? value.as<Tensor>().item() : to_scalar(value);
  if (real) return scalar.toDouble();
  const double exact = scalar.toDouble();
  if (!(exact >= -0x1p63 && exact < 0x1p63)) throw Unsupported("int() of what is no 64-bit integer");
  return scalar.toLong();
}

Value length(const Value& value) {
  if (value.is<std::string>()) return static_cast<std::int64_t>(value.as<std::string>().size());
  if (value.is<Tensor>() && value.as<Tensor>().dim() == 0) throw Unsupported("len");
  if (value.is<Tensor>()) return value.as<Tensor>().size(0);
  return static_cast<std::int64_t>(items_of(value).size());
}

Value range(Arguments& a) {
  const auto numbers = a.take_sizes("stop");
  const std::int64_t start = numbers.size() > 1 ? numbers[0] : 0;
  const std::int64_t stop = numbers.size() > 1 ? numbers[1] : numbers.at(0);
  const std::int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) throw Unsupported("range");
  Sequence list{SequenceKind::list, {}};
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) list.items.emplace_back(i);
  return list;
}

Value enumerate(Arguments& a) {
  Sequence list{SequenceKind::list, {}};
  for (const auto& item : items_of(a.require("iterable"))) {
    list.items.emplace_back(Sequence{SequenceKind::tuple, {static_cast<std::int64_t>(list.items.size()), item}});
  }
  return list;
}

Value zip(Arguments& a) {
  std::vector<std::vector<Value>> columns;
  while (a.left() > 0) columns.push_back(items_of(a.require("iterable")));
  Sequence list{SequenceKind::list, {}};
  if (columns.empty()) return list;
  std::size_t rows = columns[0].size();
  for (const auto& column : columns) rows = std::min(rows, column.size());
  for (std::size_t i = 0; i < rows; ++i) {
    Sequence row{SequenceKind::tuple, {}};
    for (const auto& column : columns) row.items.push_back(column[i]);
    list.items.emplace_back(row);
  }
  return list;
}

Value sum(Arguments& a) {
  const Value list = a.require("iterable");
  Value total = a.take("start").value_or(std::int64_t{0});
  for (const auto& item : items_of(list)) total = apply_binary("+", total, item);
  return total;
}

Value extreme(Arguments& a, const std::string& wins) {
  auto items = a.left() == 1 ? items_of(a.require("iterable")) : std::vector<Value>{};
  while (a.left() > 0) items.push_back(a.require("value"));
  if (items.empty()) throw Unsupported(wins == "<" ? "min" : "max");
  Value best = items[0];
  for (const auto& item : items) {
    if (truth(apply_comparison(wins, item, best))) best = item;
  }
  return best;
}

Value holds(Arguments& a, bool all) {
  for (const auto& item : items_of(a.require("iterable"))) {
    if (truth(item) != all) return !all;
  }
  return all;
}

Value sorted(Arguments& a) {
  auto items = items_of(a.require("iterable"));
  const auto before = [](const Value& x, const Value& y) {
    if (x.is<std::string>() && y.is<std::string>()) return x.as<std::string>() < y.as<std::string>();
    return to_scalar(x).toDouble() < to_scalar(y).toDouble();
  };
  std::stable_sort(items.begin(), items.end(), before);
  return Sequence{SequenceKind::list, items};
}

Value dict(Arguments& a) {
  Dictionary result{a.function() == "OrderedDict" ? "OrderedDict" : "dict"};
  const Value from = a.left() > 0 ? a.require("items") : Value(Sequence{});
  for (const auto& item : items_of(from)) {
    if (from.is<Dictionary>()) {
      set_subscript(result, item, subscript(from, item));
    } else {
      const auto pair = items_of(item);
      set_subscript(result, pair.at(0), pair.at(1));
    }
  }
  for (const auto& [key, value] : a.take_all_named()) set_subscript(result, key, value);
  return result;
}

Value is_instance(Arguments& a) {
  const Value object = a.require("object");
  const Value type = a.require("type");
  if (!type.is<Callable>()) throw Unsupported("isinstance");
  const auto& full = type.as<Callable>().name;
  const auto wanted = full.substr(full.rfind('.') + 1);
  const auto found = type_name(object);
  if (found == wanted || (found == "bool" && wanted == "int") || (found == "OrderedDict" && wanted == "dict"))
    return true;
  if (wanted == "Tensor") return object.is<Tensor>();
  if (wanted == "Module") return object.is<ModulePointer>();
  if (wanted == "Optimizer") return object.is<OptimizerPointer>();
  if (found == "LazyLinear" && wanted == "Linear") return true;
  if (found == "UninitializedParameter" && wanted == "Parameter") return true;
  return false;
}

Value has_attribute(Arguments& a) {
  const Value object = a.require("object");
  const auto name = to_text(a.require("name"));
  if (!object.is<ModulePointer>()) throw Unsupported("hasattr");
  try {
    attribute(object, name);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

Value next(Arguments& a) {
  const auto items = items_of(a.require("iterator"));
  if (items.empty()) throw Unsupported("next");
  return items[0];
}

Value deep_copy(Arguments& a) {
  const Value object = a.require("x");
  if (object.is<ModulePointer>()) return clone_of_module(object.as<ModulePointer>());
  if (type_name(object) == "Tensor" && object.as<Tensor>().is_leaf()) {
    const auto& tensor = object.as<Tensor>();
    return tensor.detach().clone().requires_grad_(tensor.requires_grad());
  }
  if (type_name(object) == "Parameter") {
    const auto& tensor = object.as<Tensor>();
    return d2l::nn::Parameter(tensor.detach().clone(), tensor.requires_grad());
  }
  throw Unsupported("copy");
}

const std::map<std::string, Builtin>& builtins() {
  static const std::map<std::string, Builtin> table{
      {"float", [](Arguments& a) { return number(a, true); }},
      {"int", [](Arguments& a) { return number(a, false); }},
      {"bool", [](Arguments& a) { return Value(truth(a.require("x"))); }},
      {"repr", [](Arguments& a) { return Value(repr(a.require("x"))); }},
      {"str",
       [](Arguments& a) {
         const Value value = a.require("x");
         if (value.is<d2l::Device>()) return Value(value.as<d2l::Device>().str());
         return value.is<std::string>() ? value : Value(repr(value));
       }},
      {"len", [](Arguments& a) { return length(a.require("x")); }},
      {"type", [](Arguments& a) { return Value(Type{type_name(a.require("x"))}); }},
      {"list",
       [](Arguments& a) {
         return Value(Sequence{SequenceKind::list, a.left() > 0 ? items_of(a.require("x")) : std::vector<Value>{}});
       }},
      {"tuple",
       [](Arguments& a) {
         return Value(Sequence{SequenceKind::tuple, a.left() > 0 ? items_of(a.require("x")) : std::vector<Value>{}});
       }},
      {"iter",
       [](Arguments& a) {
         return Value(Sequence{SequenceKind::list, items_of(a.require("x"))});
       }},
      {"next", next},
      {"dict", dict},
      {"OrderedDict", dict},
      {"range", range},
      {"enumerate", enumerate},
      {"zip", zip},
      {"sum", sum},
      {"min", [](Arguments& a) { return extreme(a, "<"); }},
      {"max", [](Arguments& a) { return extreme(a, ">"); }},
      {"all", [](Arguments& a) { return holds(a, true); }},
      {"any", [](Arguments& a) { return holds(a, false); }},
      {"sorted", sorted},
      {"isinstance", is_instance},
      {"hasattr", has_attribute},
      {"getattr",
       [](Arguments& a) {
         const Value object = a.require("object");
         return attribute(object, to_text(a.require("name")));
       }},
      {"setattr",
       [](Arguments& a) {
         const Value object = a.require("object");
         const Value name = a.require("name");
         set_attribute(object, to_text(name), a.require("value"));
         return Value(None{});
       }},
      {"copy.deepcopy", deep_copy},
  };
  return table;
}

}  // namespace

Value call_builtin(Arguments& a) {
  const auto& name = a.function();
  const auto found = builtins().find(name);
  if (found != builtins().end()) return found->second(a);
  throw Unsupported(name.substr(0, name.find('.')) == "torch" ? name : name.substr(0, name.find('.')));
}

}  // namespace python_subset
