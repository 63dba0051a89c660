// SPDX-License-Identifier: MIT
// The functions of torch and torch.autograd, by their Python names.
#include <array>
#include <sstream>

#include "python_subset/binding.h"

namespace python_subset {
namespace {

using d2l::Scalar;
using d2l::Tensor;
using d2l::TensorData;
using Tensors = std::vector<Tensor>;

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

#define FACTORY(name)                                                                                                \
  def("torch." #name "(size)", [](const Sizes& sizes, const Placed& options) { return d2l::name(sizes, options); }), \
      def("torch." #name "_like(input)",                                                                             \
          [](const Tensor& x, const Options& options) { return d2l::name##_like(x, options); })

Value arange(Arguments& a) {
  const auto options = take_options(a, d2l::TensorOptions(a.device()));
  std::vector<Scalar> bounds;
  for (const char* name : {"start", "end", "step"}) {
    if (const auto bound = a.take(name)) bounds.push_back(to_scalar(*bound));
  }
  if (bounds.size() == 1) return d2l::arange(bounds[0], options);
  if (bounds.size() == 2) return d2l::arange(bounds[0], bounds[1], options);
  if (bounds.size() == 3) return d2l::arange(bounds[0], bounds[1], bounds[2], options);
  throw Unsupported("argument type");
}

Tensor concatenated(const Sequence& list, std::optional<std::int64_t> dim) {
  return cat(to_tensors(list), dim.value_or(0));
}

Tensors gradients_or_none(const std::optional<Value>& value) {
  if (!value) return {};
  if (value->is<Tensor>()) return {value->as<Tensor>()};
  Tensors tensors;
  for (const auto& item : items_of(*value)) tensors.push_back(item.is<None>() ? Tensor() : to<Tensor>(item));
  return tensors;
}

Value gradients(const Tensors& outputs, const Tensors& inputs, const std::optional<Value>& grad_outputs, bool keeps,
                Keyword<bool> allow_unused) {
  Sequence results{SequenceKind::tuple, {}};
  for (const auto& result :
       d2l::autograd::grad(outputs, inputs, gradients_or_none(grad_outputs), keeps, allow_unused.value_or(false))) {
    results.items.push_back(result.defined() ? Value(result) : Value(None{}));
  }
  return results;
}

GradientScope set_grad_enabled(const Value& mode) {
  const bool before = d2l::GradMode::is_enabled();
  d2l::GradMode::set_enabled(truth(mode));
  return {truth(mode), before};
}

// The methods that torch has as functions too.
constexpr const char* free_functions =
    "add sub mul div pow eq ne lt le gt ge neg abs sqrt exp log relu sigmoid tanh sum mean max min argmax norm matmul "
    "mm "
    "allclose equal reshape transpose t permute unsqueeze squeeze select clone numel log_softmax dot flatten mv";

}  // namespace

d2l::TensorOptions take_options(Arguments& a, d2l::TensorOptions options) {
  const auto dtype = a.take_named("dtype");
  const auto device = a.take_named("device");
  if (dtype && !dtype->is<None>()) options = options.dtype(to_dtype(*dtype));
  if (device && !device->is<None>()) options = options.device(to_device(*device));
  if (const auto wanted = a.take_named("requires_grad")) options = options.requires_grad(truth(*wanted));
  return options;
}

Table torch_functions() {
  Table table{
      FACTORY(ones),
      FACTORY(zeros),
      FACTORY(empty),
      FACTORY(rand),
      FACTORY(randn),
      def("torch.tensor(data)",
          [](const Value& data, const Placed& options) { return d2l::tensor(tensor_data(data), options); }),
      def("torch.full(size, fill_value)", [](const std::vector<std::int64_t>& sizes, Scalar value,
                                             const Placed& options) { return d2l::full(sizes, value, options); }),
      def("torch.full_like(input, fill_value)",
          [](const Tensor& x, Scalar value, const Options& options) { return d2l::full_like(x, value, options); }),
      def("torch.arange", arange),
      def("torch.cat(tensors, dim)", concatenated),
      def("torch.concat(tensors, dim)", concatenated),
      def("torch.stack(tensors, dim)",
          [](const Sequence& list, std::optional<std::int64_t> dim) {
            return stack(to_tensors(list), dim.value_or(0));
          }),
      def("torch.device(type, index)",
          [](const d2l::Device& type, std::optional<std::int64_t> index) {
            return index ? d2l::Device(type.type(), static_cast<int>(*index)) : type;
          }),
      def("torch.manual_seed(seed)", [](std::int64_t seed) { d2l::manual_seed(static_cast<std::uint64_t>(seed)); }),
      def("torch.no_grad()",
          [] {
            return GradientScope{false, std::nullopt};
          }),
      def("torch.enable_grad()",
          [] {
            return GradientScope{true, std::nullopt};
          }),
      def("torch.set_grad_enabled(mode)", set_grad_enabled),
      def("torch.is_grad_enabled()", [] { return d2l::GradMode::is_enabled(); }),
      def("torch.autograd.grad(outputs, inputs, grad_outputs, retain_graph, allow_unused)", gradients),
      def("torch.autograd.backward(tensors, grad_tensors, retain_graph)",
          [](const Tensors& tensors, const std::optional<Value>& grad_tensors, bool keeps) {
            d2l::autograd::backward(tensors, gradients_or_none(grad_tensors), keeps);
          }),
  };
  const auto methods = tensor_methods();
  std::istringstream names(free_functions);
  for (std::string name; names >> name;) table.emplace("torch." + name, methods.at("Tensor." + name));
  return table;
}

}  // namespace python_subset
