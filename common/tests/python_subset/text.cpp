// SPDX-License-Identifier: MIT
// The text of values: Python's repr(), and the names of its types.
#include "core/tensor_impl.h"
#include "d2l/show.h"
#include "python_subset/value.h"

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

std::string repr_of(const std::string& text) {
  const bool apostrophe = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
  const char quote = apostrophe ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      result += c == quote || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
  }
  return result + quote;
}

std::string repr_of(const Dictionary& dictionary) {
  const bool ordered = dictionary.kind == "OrderedDict";
  std::string text;
  for (const auto& [key, value] : *dictionary.items) {
    text += text.empty() ? "" : ", ";
    text += ordered ? "(" + repr_of(key) + ", " + repr(value) + ")" : repr_of(key) + ": " + repr(value);
  }
  if (!ordered) return "{" + text + "}";
  return text.empty() ? "OrderedDict()" : "OrderedDict([" + text + "])";
}

struct ReprVisitor {
  std::string operator()(None) const { return "None"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return repr_of(value); }
  std::string operator()(const Sequence& value) const { return repr_of(value); }
  std::string operator()(const Slice&) const { throw Unsupported("repr of a slice"); }
  std::string operator()(Ellipsis) const { return "Ellipsis"; }
  std::string operator()(const Dictionary& value) const { return repr_of(value); }
  std::string operator()(const Callable& value) const { throw Unsupported(value.name); }
  std::string operator()(const Type& value) const { throw Unsupported("repr of the type " + value.name); }
  std::string operator()(GradientScope) const { throw Unsupported("repr of a scope"); }
  std::string operator()(const d2l::nn::IncompatibleKeys& value) const { return d2l::nn::repr(value); }
  std::string operator()(const ModulePointer& value) const { return d2l::nn::repr(*value); }
  std::string operator()(const OptimizerPointer& value) const { return d2l::optim::repr(*value); }
  std::string operator()(const OperationPointer&) const { throw Unsupported("repr of an address"); }
  template <class T>
  std::string operator()(const T& value) const {
    return d2l::repr(value);
  }
};

/// "Tensor", "Parameter" or "UninitializedParameter".
std::string type_of_tensor(const d2l::Tensor& tensor) {
  if (d2l::nn::is_uninitialized(tensor)) return "UninitializedParameter";
  return tensor.impl()->parameter == d2l::detail::ParameterState::parameter ? "Parameter" : "Tensor";
}

struct TypeVisitor {
  std::string operator()(None) const { return "NoneType"; }
  std::string operator()(bool) const { return "bool"; }
  std::string operator()(std::int64_t) const { return "int"; }
  std::string operator()(double) const { return "float"; }
  std::string operator()(const std::string&) const { return "str"; }
  std::string operator()(const d2l::Tensor& value) const { return type_of_tensor(value); }
  std::string operator()(d2l::ScalarType) const { return "dtype"; }
  std::string operator()(const d2l::Device&) const { return "device"; }
  std::string operator()(const Sequence& value) const {
    if (value.kind == SequenceKind::size) return "Size";
    return value.kind == SequenceKind::list ? "list" : value.kind == SequenceKind::tuple ? "tuple" : "max";
  }
  std::string operator()(const Slice&) const { return "slice"; }
  std::string operator()(Ellipsis) const { return "ellipsis"; }
  std::string operator()(const Dictionary& value) const { return value.kind; }
  std::string operator()(const Callable& value) const { throw Unsupported(value.name); }
  std::string operator()(const Type&) const { return "type"; }
  std::string operator()(GradientScope) const { return "no_grad"; }
  std::string operator()(const d2l::nn::IncompatibleKeys&) const { return "_IncompatibleKeys"; }
  std::string operator()(const ModulePointer& value) const { return value->name(); }
  std::string operator()(const OptimizerPointer&) const { return "SGD"; }
  std::string operator()(const OperationPointer& value) const { return value->name(); }
};

}  // namespace

std::string repr(const Value& value) { return std::visit(ReprVisitor{}, static_cast<const Alternatives&>(value)); }

std::string type_name(const Value& value) { return std::visit(TypeVisitor{}, static_cast<const Alternatives&>(value)); }

}  // namespace python_subset
