// SPDX-License-Identifier: MIT
// The evaluator of the Python subset: names, attributes, calls, indexing, assignments.
#include "python_subset/evaluator.h"

#include "python_subset/parser.h"

namespace python_subset {
namespace {

using d2l::Tensor;

class Evaluator {
 public:
  explicit Evaluator(const d2l::Device& device) : device_(device) {}

  Value run(const std::vector<NodePointer>& statements) {
    Value last = None{};
    for (const auto& statement : statements) {
      last = statement->kind == NodeKind::assignment ? assign(*statement) : value_of(*statement);
    }
    return last;
  }

 private:
  Value assign(const Node& node) {
    const Node& target = *node.children[0];
    const Value value = value_of(*node.children[1]);
    if (!node.text.empty()) return assign_augmented(target, node.text, value);
    store(target, value);
    return None{};
  }

  void store(const Node& target, const Value& value) {
    if (target.kind == NodeKind::name) {
      names_[target.text] = value;
    } else if (target.kind == NodeKind::subscript) {
      Tensor part = index_tensor(tensor_of(*target.children[0]), value_of(*target.children[1]));
      value.is<Tensor>() ? std::move(part) = value.as<Tensor>() : std::move(part) = to_scalar(value);
    } else if (target.kind == NodeKind::tuple && value.is<Sequence>()) {
      const auto& items = value.as<Sequence>().items;
      if (items.size() != target.children.size()) throw Unsupported("unpacking");
      for (std::size_t i = 0; i < items.size(); ++i) store(*target.children[i], items[i]);
    } else {
      throw Unsupported(target.kind == NodeKind::attribute ? "Tensor." + target.text + "=" : "assignment");
    }
  }

  Value assign_augmented(const Node& target, const std::string& symbol, const Value& value) {
    Value current = value_of(target);
    if (current.is<Tensor>()) {
      Tensor tensor = current.as<Tensor>();
      apply_in_place(symbol, tensor, value);
    } else {
      store(target, apply_binary(symbol, current, value));
    }
    return None{};
  }

  Tensor tensor_of(const Node& node) {
    const Value value = value_of(node);
    if (!value.is<Tensor>()) throw Unsupported("indexing of what is no tensor");
    return value.as<Tensor>();
  }

  Value value_of(const Node& node) {
    switch (node.kind) {
      case NodeKind::constant:
        return node.value;
      case NodeKind::name:
        return name(node.text);
      case NodeKind::list:
        return Sequence{SequenceKind::list, values_of(node.children)};
      case NodeKind::tuple:
        return Sequence{SequenceKind::tuple, values_of(node.children)};
      case NodeKind::call:
        return call(node);
      case NodeKind::attribute:
        return attribute(value_of(*node.children[0]), node.text);
      case NodeKind::subscript:
        return subscript(value_of(*node.children[0]), value_of(*node.children[1]));
      case NodeKind::slice:
        return slice(node);
      case NodeKind::unary:
        return unary(node);
      case NodeKind::binary:
        return apply_binary(node.text, value_of(*node.children[0]), value_of(*node.children[1]));
      case NodeKind::comparison:
        return comparison(node);
      case NodeKind::logical:
        return logical(node);
      case NodeKind::conditional:
        return value_of(*node.children[truth(value_of(*node.children[1])) ? 0 : 2]);
      case NodeKind::assignment:
        break;
    }
    throw Unsupported("syntax");
  }

  std::vector<Value> values_of(const std::vector<NodePointer>& nodes) {
    std::vector<Value> values;
    for (const auto& node : nodes) values.push_back(value_of(*node));
    return values;
  }

  Value name(const std::string& text) const {
    const auto found = names_.find(text);
    return found != names_.end() ? found->second : Value(Callable{text, nullptr});
  }

  static Value attribute(const Value& object, const std::string& name) {
    if (object.is<Tensor>()) {
      if (is_method(name)) return Callable{name, std::make_shared<Value>(object)};
      return attribute_of(object.as<Tensor>(), name);
    }
    if (object.is<d2l::Device>() && name == "type")
      return std::string(object.as<d2l::Device>().is_cpu() ? "cpu" : "cuda");
    if (object.is<d2l::Device>() && name == "index") {
      const int index = object.as<d2l::Device>().index();
      return index < 0 ? Value(None{}) : Value(std::int64_t{index});
    }
    if (!object.is<Callable>() || object.as<Callable>().self) throw Unsupported("attribute " + name);
    const std::string full = object.as<Callable>().name + "." + name;
    static const std::map<std::string, d2l::ScalarType> dtypes{
        {"torch.bool", d2l::kBool},       {"torch.uint8", d2l::kUInt8},   {"torch.int32", d2l::kInt32},
        {"torch.int", d2l::kInt32},       {"torch.int64", d2l::kInt64},   {"torch.long", d2l::kInt64},
        {"torch.float32", d2l::kFloat32}, {"torch.float", d2l::kFloat32}, {"torch.float64", d2l::kFloat64},
        {"torch.double", d2l::kFloat64}};
    const auto dtype = dtypes.find(full);
    if (dtype != dtypes.end()) return dtype->second;
    return Callable{full, nullptr};
  }

  Value call(const Node& node) {
    const Value function = value_of(*node.children[0]);
    if (!function.is<Callable>()) throw Unsupported("call of a value");
    std::vector<Value> positional;
    std::map<std::string, Value> named;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const auto& keyword = node.names[i - 1];
      keyword.empty() ? positional.push_back(value_of(*node.children[i]))
                      : static_cast<void>(named[keyword] = value_of(*node.children[i]));
    }
    const auto& callable = function.as<Callable>();
    Arguments arguments(callable.name, std::move(positional), std::move(named));
    const Value result =
        callable.self ? call_method(callable.self->as<Tensor>(), arguments) : call_function(arguments, device_);
    arguments.finish();
    return result;
  }

  static Value subscript(const Value& object, const Value& index) {
    if (object.is<Tensor>()) return index_tensor(object.as<Tensor>(), index);
    if (!object.is<Sequence>()) throw Unsupported("indexing of what is no tensor");
    const auto& items = object.as<Sequence>().items;
    const auto size = static_cast<std::int64_t>(items.size());
    const auto position = to_integer(index);
    if (position < -size || position >= size) throw Unsupported("sequence index");
    return items[static_cast<std::size_t>(position < 0 ? position + size : position)];
  }

  Value slice(const Node& node) {
    Slice result;
    const auto part = [&](std::size_t i) {
      const Value value = node.children[i] ? value_of(*node.children[i]) : Value(None{});
      return value.is<None>() ? std::nullopt : std::optional(to_integer(value));
    };
    result.start = part(0);
    result.stop = part(1);
    result.step = part(2);
    return result;
  }

  Value unary(const Node& node) {
    const Value value = value_of(*node.children[0]);
    if (node.text == "not") return !truth(value);
    if (node.text == "~") throw Unsupported("operator ~");
    if (node.text == "+") return value;
    if (value.is<Tensor>()) return -value.as<Tensor>();
    if (value.is<double>()) return -value.as<double>();
    return -to_integer(value);
  }

  Value comparison(const Node& node) {
    Value left = value_of(*node.children[0]);
    Value result = true;
    for (std::size_t i = 0; i < node.names.size(); ++i) {
      const Value right = value_of(*node.children[i + 1]);
      result = apply_comparison(node.names[i], left, right);
      if (i + 1 < node.names.size() && !truth(result)) return result;
      left = right;
    }
    return result;
  }

  Value logical(const Node& node) {
    Value left = value_of(*node.children[0]);
    if (truth(left) == (node.text == "or")) return left;
    return value_of(*node.children[1]);
  }

  d2l::Device device_;
  std::map<std::string, Value> names_;
};

}  // namespace

Value evaluate(const std::string& code, const d2l::Device& device) { return Evaluator(device).run(parse(code)); }

}  // namespace python_subset
