// SPDX-License-Identifier: MIT
// The module _d2l: functions that make, join and differentiate tensors, and what the tests ask of devices.
#include <list>
#include <string>
#include <utility>

#include "d2l/autocast.h"
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
using MaybeTensors = std::vector<std::optional<Tensor>>;

TensorOptions like_options(MaybeDtype dtype, MaybeDevice device, bool requires_grad) {
  TensorOptions options = d2l::requires_grad(requires_grad);
  if (dtype) options = options.dtype(*dtype);
  return device ? options.device(*device) : options;
}

TensorOptions placed_options(MaybeDtype dtype, MaybeDevice device, bool requires_grad) {
  return like_options(dtype, device.value_or(default_device), requires_grad);
}

/// The scopes that Python has entered.
std::list<d2l::amp::Autocast>& autocasts() {
  static std::list<d2l::amp::Autocast> all;
  return all;
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
  if (!py::isinstance<py::sequence>(value) || py::isinstance<d2l::detail::TensorImpl>(value))
    return value.cast<Scalar>();
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

void bind_factories(py::module_& m) {
  const auto size = "size"_a;
  const auto input = "input"_a;
  const auto options = "options"_a;
  using Factory = Tensor(d2l::IntArrayRef, const TensorOptions&);
  py::class_<TensorOptions>(m, "TensorOptions");
  m.def("like_options", &like_options);
  m.def("placed_options", &placed_options);
  m.def("ones", static_cast<Factory*>(d2l::ones), size, options);
  m.def("zeros", static_cast<Factory*>(d2l::zeros), size, options);
  m.def("empty", static_cast<Factory*>(d2l::empty), size, options);
  m.def("rand", static_cast<Factory*>(d2l::rand), size, options);
  m.def("randn", static_cast<Factory*>(d2l::randn), size, options);
  m.def("full", &d2l::full, size, "fill_value"_a, options);
  m.def("ones_like", &d2l::ones_like, input, options);
  m.def("zeros_like", &d2l::zeros_like, input, options);
  m.def("empty_like", &d2l::empty_like, input, options);
  m.def("rand_like", &d2l::rand_like, input, options);
  m.def("randn_like", &d2l::randn_like, input, options);
  m.def("full_like", &d2l::full_like, input, "fill_value"_a, options);
  m.def("arange", py::overload_cast<Scalar, const TensorOptions&>(&d2l::arange), "end"_a, options);
  m.def("arange", py::overload_cast<Scalar, Scalar, const TensorOptions&>(&d2l::arange), "start"_a, "end"_a, options);
  m.def("arange", py::overload_cast<Scalar, Scalar, Scalar, const TensorOptions&>(&d2l::arange), "start"_a, "end"_a,
        "step"_a, options);
  m.def("linspace", &d2l::linspace, "start"_a, "end"_a, "steps"_a, options);
  m.def("eye", py::overload_cast<Integer, const TensorOptions&>(&d2l::eye), "n"_a, options);
  m.def("eye", py::overload_cast<Integer, Integer, const TensorOptions&>(&d2l::eye), "n"_a, "m"_a, options);
  m.def("randint", py::overload_cast<Integer, d2l::IntArrayRef, const TensorOptions&>(&d2l::randint), "high"_a, size,
        options);
  m.def("randint", py::overload_cast<Integer, Integer, d2l::IntArrayRef, const TensorOptions&>(&d2l::randint), "low"_a,
        "high"_a, size, options);
  m.def("randperm", &d2l::randperm, "n"_a, options);
  m.def("uninitialized_parameter", &d2l::nn::UninitializedParameter);
  const auto tensor = [](const py::object& data, const TensorOptions& o) { return d2l::tensor(tensor_data(data), o); };
  m.def("tensor", tensor, "data"_a, options);
}

void bind_elementwise(py::module_& m) {
  const auto input = "input"_a;
  const auto bind_where = [&m]<class A, class B>(A* /*a*/, B* /*b*/) {
    m.def(
        "where", [](const Tensor& condition, const A& a, const B& b) { return d2l::where(condition, a, b); },
        "condition"_a, "input"_a, "other"_a);
  };
  constexpr Tensor* tensor = nullptr;
  constexpr Scalar* number = nullptr;
  bind_where(tensor, tensor);
  bind_where(tensor, number);
  bind_where(number, tensor);
  bind_where(number, number);
  m.def(
      "remainder", [](Scalar a, const Tensor& b) { return d2l::remainder(a, b); }, input, "other"_a);
  m.def("gelu", &d2l::gelu, input, py::kw_only(), "approximate"_a = "none");
  m.def("silu", &d2l::silu, input);
  m.def("softplus", &d2l::softplus, input, "beta"_a = 1, "threshold"_a = 20);
  m.def("leaky_relu", &d2l::leaky_relu, input, "negative_slope"_a = 0.01);
  m.def("elu", &d2l::elu, input, "alpha"_a = 1.0);
}

}  // namespace

void bind_functions(py::module_& m) {
  bind_factories(m);
  bind_elementwise(m);
  m.def("cat", &d2l::cat, "tensors"_a, "dim"_a = 0);
  m.def("stack", &d2l::stack, "tensors"_a, "dim"_a = 0);
  m.def("one_hot", &d2l::one_hot, "tensor"_a, "num_classes"_a = -1);
  m.def("manual_seed", &d2l::manual_seed, "seed"_a);
  m.def("enter_autocast", [](const std::string& type, MaybeDtype dtype, bool enabled, std::optional<bool> cached) {
    autocasts().emplace_back(type == "cpu" ? d2l::kCPU : d2l::kCUDA, dtype, enabled, cached);
  });
  m.def("exit_autocast", [] { autocasts().pop_back(); });
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
