// SPDX-License-Identifier: MIT
// The evaluator of the Python subset: statements, names and expressions.
#include "python_subset/evaluator.h"

#include "python_subset/parser.h"

namespace python_subset {
namespace {

using d2l::Tensor;

class Evaluator {
 public:
  Evaluator(const d2l::Device& device, std::map<std::string, Value> names)
      : device_(device), names_(std::move(names)) {}

  Value run(const std::vector<NodePointer>& statements) {
    Value last = None{};
    for (const auto& statement : statements) last = execute(*statement);
    return last;
  }

 private:
  Value execute(const Node& node) {
    switch (node.kind) {
      case NodeKind::assignment:
        assign(node);
        return None{};
      case NodeKind::deletion:
        remove(*node.children[0]);
        return None{};
      case NodeKind::assertion:
        if (!truth(value_of(*node.children[0]))) throw d2l::Error("an assertion of the case does not hold");
        return None{};
      case NodeKind::block:
        run(node.children);
        return None{};
      case NodeKind::with:
        with(node);
        return None{};
      case NodeKind::attempt:
        attempt(node);
        return None{};
      case NodeKind::loop:
        for (const auto& item : items_of(value_of(*node.children[1]))) {
          store(*node.children[0], item);
          execute(*node.children[2]);
        }
        return None{};
      case NodeKind::branch: {
        const auto& chosen = node.children[truth(value_of(*node.children[0])) ? 1 : 2];
        if (chosen) execute(*chosen);
        return None{};
      }
      default:
        return value_of(node);
    }
  }

  void with(const Node& node) {
    const Value manager = value_of(*node.children[0]);
    if (!manager.is<GradientScope>()) throw Unsupported("with");
    const auto& scope = manager.as<GradientScope>();
    {
      const d2l::AutoGradMode mode(scope.enabled);
      execute(*node.children[1]);
    }
    if (scope.after) d2l::GradMode::set_enabled(*scope.after);
  }

  void attempt(const Node& node) {
    try {
      execute(*node.children[0]);
      return;
    } catch (const d2l::Error&) {  // the except block follows
    }
    execute(*node.children[1]);
  }

  void remove(const Node& target) {
    if (target.kind == NodeKind::name) {
      names_.erase(target.text);
    } else if (target.kind == NodeKind::subscript) {
      delete_subscript(value_of(*target.children[0]), value_of(*target.children[1]));
    } else if (target.kind == NodeKind::tuple) {
      for (const auto& child : target.children) remove(*child);
    } else {
      throw Unsupported("del");
    }
  }

  void assign(const Node& node) {
    const Node& target = *node.children[0];
    const Value value = value_of(*node.children[1]);
    node.text.empty() ? store(target, value) : assign_augmented(target, node.text, value);
    for (std::size_t i = 2; i < node.children.size(); ++i) store(*node.children[i], value);
  }

  void store(const Node& target, const Value& value) {
    if (target.kind == NodeKind::name) {
      names_[target.text] = value;
    } else if (target.kind == NodeKind::subscript) {
      set_subscript(value_of(*target.children[0]), value_of(*target.children[1]), value);
    } else if (target.kind == NodeKind::attribute) {
      set_attribute(value_of(*target.children[0]), target.text, value);
    } else if (target.kind == NodeKind::tuple || target.kind == NodeKind::list) {
      const auto items = items_of(value);
      if (items.size() != target.children.size()) throw Unsupported("unpacking");
      for (std::size_t i = 0; i < items.size(); ++i) store(*target.children[i], items[i]);
    } else {
      throw Unsupported("assignment");
    }
  }

  void assign_augmented(const Node& target, const std::string& symbol, const Value& value) {
    const Value current = value_of(target);
    if (current.is<Tensor>()) {
      apply_in_place(symbol, current.as<Tensor>(), value);
      // Python assigns the result back, which a name and an item hold already.
      if (target.kind == NodeKind::attribute) store(target, current);
    } else {
      store(target, apply_binary(symbol, current, value));
    }
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
      case NodeKind::dictionary:
        return dictionary(node);
      case NodeKind::comprehension:
        return comprehension(node);
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
        return binary(node);
      case NodeKind::comparison:
        return comparison(node);
      case NodeKind::logical:
        return logical(node);
      case NodeKind::conditional:
        return value_of(*node.children[truth(value_of(*node.children[1])) ? 0 : 2]);
      default:
        throw Unsupported("syntax");
    }
  }

  Value binary(const Node& node) {
    const Value left = value_of(*node.children[0]);
    return apply_binary(node.text, left, value_of(*node.children[1]));
  }

  std::vector<Value> values_of(const std::vector<NodePointer>& nodes) {
    std::vector<Value> values;
    for (const auto& node : nodes) {
      if (node->kind == NodeKind::unpacked) {
        for (const auto& item : items_of(value_of(*node->children[0]))) values.push_back(item);
      } else {
        values.push_back(value_of(*node));
      }
    }
    return values;
  }

  Value dictionary(const Node& node) {
    Dictionary result;
    for (std::size_t i = 0; i < node.children.size(); i += 2) {
      const auto& key = node.children[i];
      const Value key_value = key ? value_of(*key) : None{};
      const Value value = value_of(*node.children[i + 1]);
      if (key) {
        set_subscript(result, key_value, value);
      } else if (value.is<Dictionary>()) {
        for (const auto& item : *value.as<Dictionary>().items) set_subscript(result, item.first, item.second);
      } else {
        throw Unsupported("unpacking");
      }
    }
    return result;
  }

  Value comprehension(const Node& node) {
    Sequence list{SequenceKind::list, {}};
    Dictionary dictionary;
    for (const auto& item : items_of(value_of(*node.children[2]))) {
      store(*node.children[1], item);
      if (node.children[3] && !truth(value_of(*node.children[3]))) continue;
      const Value first = value_of(*node.children[0]);
      if (node.text == "{") {
        set_subscript(dictionary, first, value_of(*node.children[4]));
      } else {
        list.items.push_back(first);
      }
    }
    return node.text == "{" ? Value(dictionary) : Value(list);
  }

  Value name(const std::string& text) const {
    static const std::map<std::string, std::string> modules{
        {"nn", "torch.nn"}, {"F", "torch.nn.functional"}, {"optim", "torch.optim"}};
    const auto found = names_.find(text);
    if (found != names_.end()) return found->second;
    const auto module = modules.find(text);
    return Callable{module != modules.end() ? module->second : text, nullptr};
  }

  Value call(const Node& node) {
    const Value function = value_of(*node.children[0]);
    std::vector<Value> positional;
    std::map<std::string, Value> named;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const auto& keyword = node.names[i - 1];
      if (keyword == "**") {
        const Value keywords = value_of(*node.children[i]);
        if (!keywords.is<Dictionary>()) throw Unsupported("unpacking");
        for (const auto& item : *keywords.as<Dictionary>().items) named[item.first] = item.second;
      } else if (!keyword.empty()) {
        named[keyword] = value_of(*node.children[i]);
      } else {
        for (const auto& value : values_of({node.children[i]})) positional.push_back(value);
      }
    }
    std::string name = "Module.__call__";
    if (function.is<Callable>()) {
      name = function.as<Callable>().name;
      if (const auto& self = function.as<Callable>().self) positional.insert(positional.begin(), *self);
    } else if (function.is<ModulePointer>()) {
      positional.insert(positional.begin(), function);
    } else {
      throw Unsupported("call of a value");
    }
    Arguments arguments(device_, std::move(positional), std::move(named));
    return python_subset::call(name, arguments);
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

Value evaluate(const std::string& code, const d2l::Device& device, std::map<std::string, Value> names) {
  const d2l::AutoGradMode mode(true);  // restores the mode at the end
  return Evaluator(device, std::move(names)).run(parse(code));
}

}  // namespace python_subset
