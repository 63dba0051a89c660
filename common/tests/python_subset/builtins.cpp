// SPDX-License-Identifier: MIT
// The builtins of Python.
#include <algorithm>
#include <limits>

#include "python_subset/binding.h"
#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

using d2l::Scalar;
using d2l::Tensor;

/// float(x), int(x); of a tensor by item().
Value number(const Value& value, bool real) {
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

Sequence range(const Sizes& numbers) {
  const std::int64_t start = numbers.size() > 1 ? numbers[0] : 0;
  const std::int64_t stop = numbers.size() > 1 ? numbers[1] : numbers.at(0);
  const std::int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) throw Unsupported("range");
  Sequence list;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) list.items.emplace_back(i);
  return list;
}

Sequence enumerate(const Value& iterable) {
  Sequence list;
  for (const auto& item : items_of(iterable)) {
    list.items.emplace_back(Sequence{SequenceKind::tuple, {static_cast<std::int64_t>(list.items.size()), item}});
  }
  return list;
}

Value zip(Arguments& a) {
  std::vector<std::vector<Value>> columns;
  while (a.left() > 0) columns.push_back(items_of(a.require("iterable")));
  Sequence list;
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

Value sum(const Value& iterable, const std::optional<Value>& start) {
  Value total = start.value_or(std::int64_t{0});
  for (const auto& item : items_of(iterable)) total = apply_binary("+", total, item);
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

bool holds(const Value& iterable, bool all) {
  for (const auto& item : items_of(iterable)) {
    if (truth(item) != all) return !all;
  }
  return all;
}

Sequence sorted(const Value& iterable) {
  auto items = items_of(iterable);
  const auto before = [](const Value& x, const Value& y) {
    if (x.is<std::string>() && y.is<std::string>()) return x.as<std::string>() < y.as<std::string>();
    return to_scalar(x).toDouble() < to_scalar(y).toDouble();
  };
  std::stable_sort(items.begin(), items.end(), before);
  return {SequenceKind::list, items};
}

Value dict(Arguments& a, const std::string& kind) {
  Dictionary result{kind};
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

bool is_instance(const Value& object, const Value& type) {
  if (!type.is<Callable>()) throw Unsupported("isinstance");
  const auto& full = type.as<Callable>().name;
  const auto wanted = full.substr(full.rfind('.') + 1);
  const auto found = type_name(object);
  if (found == wanted || (found == "bool" && wanted == "int") || (found == "OrderedDict" && wanted == "dict"))
    return true;
  if (wanted == "Tensor") return object.is<Tensor>();
  if (wanted == "Module") return object.is<ModulePointer>();
  if (wanted == "Optimizer") return object.is<OptimizerPointer>();
  return (found == "LazyLinear" && wanted == "Linear") || (found == "UninitializedParameter" && wanted == "Parameter");
}

bool has_attribute(const Value& object, const std::string& name) {
  if (!object.is<ModulePointer>()) throw Unsupported("hasattr");
  try {
    attribute(object, name);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

Value next(const Value& iterator) {
  const auto items = items_of(iterator);
  if (items.empty()) throw Unsupported("next");
  return items[0];
}

Value deep_copy(const Value& object) {
  if (object.is<ModulePointer>()) return object.as<ModulePointer>()->clone();
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

auto sequence(SequenceKind kind) {
  return [kind](const std::optional<Value>& x) { return Sequence{kind, x ? items_of(*x) : std::vector<Value>{}}; };
}

std::string text_of(const Value& value) {
  if (value.is<d2l::Device>()) return value.as<d2l::Device>().str();
  return value.is<std::string>() ? value.as<std::string>() : repr(value);
}

}  // namespace

Table builtins() {
  return {
      def("float(x)", [](const Value& x) { return number(x, true); }),
      def("int(x)", [](const Value& x) { return number(x, false); }),
      def("bool(x)", truth),
      def("repr(x)", repr),
      def("str(x)", text_of),
      def("len(x)", length),
      def("type(x)", [](const Value& x) { return Type{type_name(x)}; }),
      def("list(x)", sequence(SequenceKind::list)),
      def("tuple(x)", sequence(SequenceKind::tuple)),
      def("iter(x)", sequence(SequenceKind::list)),
      def("next(iterator)", next),
      def("dict", [](Arguments& a) { return dict(a, "dict"); }),
      def("OrderedDict", [](Arguments& a) { return dict(a, "OrderedDict"); }),
      def("range(stop)", range),
      def("enumerate(iterable)", enumerate),
      def("zip", zip),
      def("sum(iterable, start)", sum),
      def("min", [](Arguments& a) { return extreme(a, "<"); }),
      def("max", [](Arguments& a) { return extreme(a, ">"); }),
      def("all(iterable)", [](const Value& iterable) { return holds(iterable, true); }),
      def("any(iterable)", [](const Value& iterable) { return holds(iterable, false); }),
      def("sorted(iterable)", sorted),
      def("isinstance(object, type)", is_instance),
      def("hasattr(object, name)", has_attribute),
      def("getattr(object, name)", attribute),
      def("setattr(object, name, value)", set_attribute),
      def("copy.deepcopy(x)", deep_copy),
  };
}

}  // namespace python_subset
