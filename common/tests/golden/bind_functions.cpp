// SPDX-License-Identifier: MIT
// The module _d2l: functions that make, join and differentiate tensors, and what the tests ask of devices.
#include <utility>

#include "d2l/testing.h"
#include "golden/binding.h"
#include "ops/promotion.h"

namespace golden {
namespace {

using d2l::Device;
using d2l::Scalar;
using d2l::ScalarType;
using d2l::Tensor;
using d2l::TensorData;
using d2l::TensorOptions;
using MaybeDtype = std::optional<ScalarType>;
using MaybeDevice = std::optional<Device>;
using MaybeTensors = std::vector<std::optional<Tensor>>;

TensorOptions like(MaybeDtype dtype, MaybeDevice device, bool requires_grad) {
  TensorOptions options = d2l::requires_grad(requires_grad);
  if (dtype) options = options.dtype(*dtype);
  return device ? options.device(*device) : options;
}

TensorOptions placed(MaybeDtype dtype, MaybeDevice device, bool requires_grad) {
  return like(dtype, device.value_or(default_device), requires_grad);
}

constexpr std::size_t longest_list = 32;

/// A list whose length is known only now, as the literal that C++ would have there.
template <std::size_t... I>
TensorData literal(const std::vector<TensorData>& items, std::index_sequence<I...> /*numbers*/) {
  return TensorData(std::initializer_list<TensorData>{items[I]...});
}

template <std::size_t... N>
TensorData literal_of_length(const std::vector<TensorData>& items, std::index_sequence<N...> /*lengths*/) {
  using Make = TensorData (*)(const std::vector<TensorData>&);
  constexpr std::array<Make, sizeof...(N)> makers{
      [](const std::vector<TensorData>& list) { return literal(list, std::make_index_sequence<N>()); }...};
  return makers.at(items.size())(items);
}

TensorData tensor_data(const py::handle& value) {
  if (!py::isinstance<py::sequence>(value) || py::isinstance<py::str>(value)) {
    try {
      return value.cast<Scalar>();
    } catch (const py::cast_error&) {
      throw py::type_error("this is not a number");
    }
  }
  std::vector<TensorData> items;
  for (const auto& item : value.cast<py::sequence>()) items.push_back(tensor_data(item));
  if (items.size() > longest_list) throw py::type_error("a literal this long");
  return literal_of_length(items, std::make_index_sequence<longest_list + 1>());
}

std::vector<Tensor> defined_or_not(const MaybeTensors& tensors) {
  std::vector<Tensor> result;
  for (const auto& tensor : tensors) result.push_back(tensor.value_or(Tensor()));
  return result;
}

/// Binds a function whose last parameters are dtype, device and requires_grad.
template <class Function, class... Names>
void factory(py::module_& module, const char* name, const Function& function, const Names&... names) {
  module.def(name, function, names..., py::kw_only(), "dtype"_a = py::none(), "device"_a = py::none(),
             "requires_grad"_a = false);
}

void bind_factories(py::module_& m) {
#define FACTORY(name)                                                                                            \
  factory(                                                                                                       \
      m, #name,                                                                                                  \
      [](const Sizes& sizes, MaybeDtype t, MaybeDevice d, bool g) { return d2l::name(sizes, placed(t, d, g)); }, \
      "size"_a);                                                                                                 \
  factory(                                                                                                       \
      m, #name "_like",                                                                                          \
      [](const Tensor& x, MaybeDtype t, MaybeDevice d, bool g) { return d2l::name##_like(x, like(t, d, g)); },   \
      "input"_a);
  FACTORY(ones)
  FACTORY(zeros)
  FACTORY(empty)
  FACTORY(rand)
  FACTORY(randn)
  factory(
      m, "full",
      [](const Sizes& sizes, Scalar value, MaybeDtype t, MaybeDevice d, bool g) {
        return d2l::full(sizes, value, placed(t, d, g));
      },
      "size"_a, "fill_value"_a);
  factory(
      m, "full_like",
      [](const Tensor& x, Scalar value, MaybeDtype t, MaybeDevice d, bool g) {
        return d2l::full_like(x, value, like(t, d, g));
      },
      "input"_a, "fill_value"_a);
  factory(
      m, "tensor",
      [](const py::object& data, MaybeDtype t, MaybeDevice d, bool g) {
        return d2l::tensor(tensor_data(data), placed(t, d, g));
      },
      "data"_a);
  factory(
      m, "arange", [](Scalar end, MaybeDtype t, MaybeDevice d, bool g) { return d2l::arange(end, placed(t, d, g)); },
      "end"_a);
  factory(
      m, "arange",
      [](Scalar start, Scalar end, MaybeDtype t, MaybeDevice d, bool g) {
        return d2l::arange(start, end, placed(t, d, g));
      },
      "start"_a, "end"_a);
  factory(
      m, "arange",
      [](Scalar start, Scalar end, Scalar step, MaybeDtype t, MaybeDevice d, bool g) {
        return d2l::arange(start, end, step, placed(t, d, g));
      },
      "start"_a, "end"_a, "step"_a);
  factory(
      m, "uninitialized_parameter",
      [](bool wanted, MaybeDtype t, MaybeDevice d, bool /*g*/) {
        return d2l::nn::UninitializedParameter(placed(t, d, false), wanted);
      },
      "wanted"_a);
}

}  // namespace

void bind_functions(py::module_& m) {
  bind_factories(m);
  m.def("cat", &d2l::cat, "tensors"_a, "dim"_a = 0);
  m.def("stack", &d2l::stack, "tensors"_a, "dim"_a = 0);
  m.def("manual_seed", &d2l::manual_seed, "seed"_a);
  m.def("set_grad_mode", &d2l::GradMode::set_enabled);
  m.def("is_grad_enabled", &d2l::GradMode::is_enabled);
  m.def("grad", [](const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs, const MaybeTensors& gradients,
                   std::optional<bool> keep, bool allow_unused) {
    return d2l::autograd::grad(outputs, inputs, defined_or_not(gradients), keep, allow_unused);
  });
  m.def("backward", [](const std::vector<Tensor>& tensors, const MaybeTensors& gradients, std::optional<bool> keep) {
    d2l::autograd::backward(tensors, defined_or_not(gradients), keep);
  });

  // What only the tests call.
  m.def("from_reals", [](const std::vector<double>& values) { return d2l::tensor(values, d2l::kDouble); });
  m.def("from_integers", [](const std::vector<Integer>& values) { return d2l::tensor(values, d2l::kInt64); });
  m.def("set_default_device", [](Device device) { default_device = device; });
  m.def("num_gpus", &d2l::num_gpus);
  m.def("gpu", &d2l::gpu);
  m.def("owner", [](const Tensor& x) { return d2l::testing::owner(x); });
  m.def("promote_types", &d2l::promoteTypes);
  m.def("result_type", [](const Tensor& x, const Tensor& y) { return d2l::detail::result_type(x, y); });
  m.def("repr_of_undefined", [] { return repr(Tensor()); });
  m.def("copies_of", [](const py::function& function) {
    const d2l::TransferLedger ledger;
    function();
    return std::pair(ledger.copies(), ledger.copied_bytes());
  });
}

}  // namespace golden
