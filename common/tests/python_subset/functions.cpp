// SPDX-License-Identifier: MIT
// The functions of torch, by their Python names.
#include <array>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "python_subset/evaluator.h"
#include "python_subset/gradients.h"
#include "python_subset/modules.h"
#include "python_subset/optimizers.h"

namespace python_subset {
namespace {

using d2l::Scalar;
using d2l::Tensor;
using d2l::TensorData;
using d2l::TensorOptions;

/// A dtype, or the Python type that stands for one.
d2l::ScalarType to_dtype(const Value& value) {
  static const std::map<std::string, d2l::ScalarType> python_types{
      {"bool", d2l::kBool}, {"int", d2l::kInt64}, {"float", d2l::kFloat64}};
  if (value.is<d2l::ScalarType>()) return value.as<d2l::ScalarType>();
  if (!value.is<Callable>()) throw Unsupported("argument type");
  const auto found = python_types.find(value.as<Callable>().name);
  if (found == python_types.end()) throw Unsupported(value.as<Callable>().name);
  return found->second;
}

TensorOptions take_options(Arguments& a, TensorOptions options) {
  const auto dtype = a.take_named("dtype");
  const auto device = a.take_named("device");
  if (dtype && !dtype->is<None>()) options = options.dtype(to_dtype(*dtype));
  if (device && !device->is<None>()) options = options.device(to_device(*device));
  if (a.has_named("requires_grad")) options = options.requires_grad(a.flag_or("requires_grad", false));
  return options;
}

constexpr std::size_t longest_list = 32;

/// A list whose length is known only now, as the literal that C++ would have there.
template <std::size_t... I>
TensorData literal(const std::vector<TensorData>& items, std::index_sequence<I...>) {
  return TensorData(std::initializer_list<TensorData>{items[I]...});
}

template <std::size_t... N>
TensorData literal_of_length(const std::vector<TensorData>& items, std::index_sequence<N...>) {
  using Make = TensorData (*)(const std::vector<TensorData>&);
  constexpr std::array<Make, sizeof...(N)> makers{
      [](const std::vector<TensorData>& list) { return literal(list, std::make_index_sequence<N>()); }...};
  return makers.at(items.size())(items);
}

TensorData tensor_data(const Value& value) {
  if (value.is<Tensor>()) throw Unsupported("torch.tensor(tensor)");
  if (!value.is<Sequence>()) return to_scalar(value);
  std::vector<TensorData> items;
  for (const auto& item : value.as<Sequence>().items) items.push_back(tensor_data(item));
  if (items.size() > longest_list) throw Unsupported("a literal this long");
  return literal_of_length(items, std::make_index_sequence<longest_list + 1>());
}

using Factory = Tensor (*)(d2l::IntArrayRef, const TensorOptions&);
using FactoryLike = Tensor (*)(const Tensor&, const TensorOptions&);

const std::map<std::string, Factory> factories{{"torch.ones", d2l::ones},
                                               {"torch.zeros", d2l::zeros},
                                               {"torch.empty", d2l::empty},
                                               {"torch.rand", d2l::rand},
                                               {"torch.randn", d2l::randn}};
const std::map<std::string, FactoryLike> factories_like{{"torch.ones_like", d2l::ones_like},
                                                        {"torch.zeros_like", d2l::zeros_like},
                                                        {"torch.empty_like", d2l::empty_like},
                                                        {"torch.rand_like", d2l::rand_like},
                                                        {"torch.randn_like", d2l::randn_like}};
// Methods that torch has as functions too.
const std::set<std::string> free_functions{
    "add",      "sub",   "mul",         "div",       "pow",     "eq",      "ne",        "lt",      "le",
    "gt",       "ge",    "neg",         "abs",       "sqrt",    "exp",     "log",       "relu",    "sigmoid",
    "tanh",     "sum",   "mean",        "max",       "min",     "argmax",  "norm",      "matmul",  "mm",
    "allclose", "equal", "reshape",     "transpose", "t",       "permute", "unsqueeze", "squeeze", "select",
    "clone",    "numel", "log_softmax", "dot",       "flatten", "mv"};

Value arange(Arguments& a, const TensorOptions& device) {
  const auto options = take_options(a, device);
  std::vector<Scalar> bounds;
  for (const char* name : {"start", "end", "step"}) {
    if (const auto bound = a.take(name)) bounds.push_back(to_scalar(*bound));
  }
  if (bounds.size() == 1) return d2l::arange(bounds[0], options);
  if (bounds.size() == 2) return d2l::arange(bounds[0], bounds[1], options);
  if (bounds.size() == 3) return d2l::arange(bounds[0], bounds[1], bounds[2], options);
  throw Unsupported("argument type");
}

Value join(Arguments& a, bool along_new_dimension) {
  const Value list = a.require("tensors");
  if (!list.is<Sequence>()) throw Unsupported("argument type");
  std::vector<Tensor> tensors;
  for (const auto& item : list.as<Sequence>().items) {
    if (!item.is<Tensor>()) throw Unsupported("argument type");
    tensors.push_back(item.as<Tensor>());
  }
  const auto dim = a.take("dim");
  const auto along = dim ? to_integer(*dim) : 0;
  return along_new_dimension ? stack(tensors, along) : cat(tensors, along);
}

Value device(Arguments& a) {
  const Value type = a.require("type");
  const auto index = a.take("index");
  if (!index) return to_device(type);
  return d2l::Device(to_device(type).type(), static_cast<int>(to_integer(*index)));
}

}  // namespace

Value call_function(Arguments& a, const d2l::Device& where) {
  const auto& name = a.function();
  const TensorOptions device_alone(where);
  if (const auto found = factories.find(name); found != factories.end()) {
    const auto options = take_options(a, device_alone);
    return found->second(a.take_sizes("size"), options);
  }
  if (const auto found = factories_like.find(name); found != factories_like.end()) {
    const auto options = take_options(a, {});
    return found->second(a.require("input").as<Tensor>(), options);
  }
  if (name == "torch.tensor") {
    const auto options = take_options(a, device_alone);
    return d2l::tensor(tensor_data(a.require("data")), options);
  }
  if (name == "torch.full") {
    const auto options = take_options(a, device_alone);
    const auto sizes = to_integers(a.require("size"));
    return d2l::full(sizes, to_scalar(a.require("fill_value")), options);
  }
  if (name == "torch.full_like") {
    const auto options = take_options(a, {});
    const Tensor like = a.require("input").as<Tensor>();
    return d2l::full_like(like, to_scalar(a.require("fill_value")), options);
  }
  if (name == "torch.arange") return arange(a, device_alone);
  if (name == "torch.cat" || name == "torch.concat") return join(a, false);
  if (name == "torch.stack") return join(a, true);
  if (name == "torch.device") return device(a);
  if (name == "torch.manual_seed") {
    d2l::manual_seed(static_cast<std::uint64_t>(to_integer(a.require("seed"))));
    return None{};
  }
  if (name.rfind("torch.", 0) == 0 && free_functions.count(name.substr(6)) > 0) {
    const Value self = a.require("input");
    if (!self.is<Tensor>()) throw Unsupported("argument type");
    a.rename(name.substr(6));
    return call_tensor_method(self.as<Tensor>(), a);
  }
  if (name.rfind("torch.nn.functional.", 0) == 0) return call_functional(a);
  if (name.rfind("torch.nn.", 0) == 0) return call_nn(a, where);
  if (name.rfind("torch.optim.", 0) == 0) return make_optimizer(a);
  if (const auto result = call_gradient_function(a)) return *result;
  return call_builtin(a);
}

}  // namespace python_subset
