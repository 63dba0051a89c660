// SPDX-License-Identifier: MIT
// The module _d2l: lists of indices, random samples, windows, einsum, and further functions of layers.
#include <utility>

#include "golden/binding.h"

namespace golden {
namespace {

using d2l::Tensor;
using d2l::indexing::TensorIndex;
namespace F = d2l::nn::functional;

std::optional<Integer> bound(const py::handle& value) {
  return value.is_none() ? std::nullopt : std::optional(value.cast<Integer>());
}

TensorIndex index_of(const py::handle& key) {
  if (key.is_none()) return d2l::indexing::None;
  if (key.ptr() == Py_Ellipsis) return d2l::indexing::Ellipsis;
  if (PyBool_Check(key.ptr()) != 0) return key.ptr() == Py_True;
  if (PyLong_Check(key.ptr()) != 0) return key.cast<Integer>();
  if (py::isinstance<py::slice>(key)) {
    return d2l::indexing::Slice(bound(key.attr("start")), bound(key.attr("stop")), bound(key.attr("step")));
  }
  return key.cast<Tensor>();
}

std::vector<TensorIndex> indices_of(const py::handle& keys) {
  std::vector<TensorIndex> list;
  for (const auto& key : keys.cast<py::sequence>()) list.push_back(index_of(key));
  return list;
}

void bind_indices(TensorClass& c) {
  c.def("_index_list", [](const Tensor& x, const py::object& keys) { return x.index(indices_of(keys)); });
  c.def("_put_list",
        [](Tensor x, const py::object& keys, const Tensor& values) { x.index_put_(indices_of(keys), values); });
  c.def("_put_list",
        [](Tensor x, const py::object& keys, d2l::Scalar value) { x.index_put_(indices_of(keys), value); });
  const auto put = [](Tensor x, const py::object& keys, const Tensor& values, bool accumulate) {
    return x.index_put_(indices_of(keys), values, accumulate);
  };
  const auto put_copy = [](const Tensor& x, const py::object& keys, const Tensor& values, bool accumulate) {
    return x.index_put(indices_of(keys), values, accumulate);
  };
  c.def("index_put_", put, "indices"_a, "values"_a, "accumulate"_a = false);
  c.def("index_put", put_copy, "indices"_a, "values"_a, "accumulate"_a = false);
  c.def("nonzero", of(&Tensor::nonzero));
  c.def("_unbind", of(&Tensor::unbind), "dim"_a = 0);
  c.def("unfold", of(&Tensor::unfold), "dimension"_a, "size"_a, "step"_a);
  c.def("swapaxes", of(&Tensor::swapaxes), "axis0"_a, "axis1"_a);
  c.def("swapdims", of(&Tensor::swapdims), "dim0"_a, "dim1"_a);
  c.def("view_as", of(&Tensor::view_as), "other"_a);
  c.def("expand_as", of(&Tensor::expand_as), "other"_a);
  c.def("type_as", of(&Tensor::type_as), "other"_a);
  c.def("bernoulli", [](const Tensor& x) { return x.bernoulli(); });
  c.def(
      "bernoulli", [](const Tensor& x, double p) { return x.bernoulli(p); }, "p"_a);
  c.def("multinomial", of(&Tensor::multinomial), "num_samples"_a, "replacement"_a = false);
  c.def(
      "bernoulli_", [](Tensor x, double p) { return x.bernoulli_(p); }, "p"_a = 0.5);
  c.def(
      "normal_", [](Tensor x, double mean, double std) { return x.normal_(mean, std); }, "mean"_a = 0, "std"_a = 1);
  c.def(
      "uniform_", [](Tensor x, double a, double b) { return x.uniform_(a, b); }, "from"_a = 0, "to"_a = 1);
}

/// One number, or a list.
template <class Number>
std::optional<std::vector<Number>> numbers(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  if (py::isinstance<py::sequence>(given)) return given.cast<std::vector<Number>>();
  return std::vector<Number>{given.cast<Number>()};
}

Tensor interpolate(const Tensor& x, const py::object& size, const py::object& factor, const std::string& mode,
                   std::optional<bool> align, std::optional<bool> recompute) {
  return F::interpolate(x, F::InterpolateFuncOptions()
                               .size(numbers<Integer>(size))
                               .scale_factor(numbers<double>(factor))
                               .mode(mode)
                               .align_corners(align)
                               .recompute_scale_factor(recompute));
}

void bind_layer_names(py::module_& m) {
  m.def("einsum",
        [](const std::string& equation, const std::vector<Tensor>& all) { return d2l::einsum(equation, all); });
  m.def("prelu", &d2l::prelu, "input"_a, "weight"_a);
  const auto rms = [](const Tensor& x, d2l::IntArrayRef shape, const MaybeTensor& weight, std::optional<double> eps) {
    return d2l::rms_norm(x, shape, weight.value_or(Tensor()), eps);
  };
  m.def("rms_norm", rms, "input"_a, "normalized_shape"_a, "weight"_a = py::none(), "eps"_a = py::none());
  m.def("interpolate", &interpolate, "input"_a, "size"_a = py::none(), "scale_factor"_a = py::none(),
        "mode"_a = "nearest", "align_corners"_a = py::none(), "recompute_scale_factor"_a = py::none());
  const auto unfold = [](const Tensor& x, d2l::IntArrayRef kernel, d2l::IntArrayRef dilation, d2l::IntArrayRef padding,
                         d2l::IntArrayRef stride) { return d2l::im2col(x, kernel, dilation, padding, stride); };
  m.def("unfold", unfold, "input"_a, "kernel_size"_a, "dilation"_a = 1, "padding"_a = 0, "stride"_a = 1);
  using OfNumbers = Tensor(double, double, d2l::IntArrayRef, const d2l::TensorOptions&);
  m.def("normal_numbers", static_cast<OfNumbers*>(d2l::normal), "mean"_a, "std"_a, "size"_a, "options"_a);
  m.def("normal", py::overload_cast<const Tensor&, double>(&d2l::normal), "mean"_a, "std"_a = 1.0);
  m.def("normal", py::overload_cast<double, const Tensor&>(&d2l::normal), "mean"_a, "std"_a);
  m.def("normal", py::overload_cast<const Tensor&, const Tensor&>(&d2l::normal), "mean"_a, "std"_a);
}

}  // namespace

void bind_names(py::module_& module, TensorClass& tensor) {
  bind_indices(tensor);
  bind_layer_names(module);
}

}  // namespace golden
