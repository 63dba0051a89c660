// SPDX-License-Identifier: MIT
// The module _d2l: devices, dtypes, and the members of Tensor.
#include <sstream>

#include "golden/binding.h"
#include "kernels/operations.h"
#include "printing/printing.h"

namespace golden {
namespace {

using d2l::Device;
using d2l::IntArrayRef;
using d2l::Scalar;
using d2l::ScalarType;
using d2l::Tensor;

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// Binds a function of a tensor and an operand, which is a tensor or a number.
template <class... Rest, class Function, class... Extra>
void with_operand(TensorClass& c, const char* name, const Function& function, const Extra&... extra) {
  const auto of_tensors = [=](Tensor x, const Tensor& y, Rest... rest) { return Tensor(function(x, y, rest...)); };
  const auto of_a_number = [=](Tensor x, Scalar y, Rest... rest) { return Tensor(function(x, y, rest...)); };
  c.def(name, of_tensors, extra...);
  c.def(name, of_a_number, extra...);
}

/// A number as a tensor without dimensions, beside `x`.
Tensor as_tensor(Scalar number, const Tensor& x) {
  const auto type = number.isFloatingPoint() ? d2l::kFloat : number.type();
  return d2l::full({}, number, d2l::TensorOptions(type).device(x.device()));
}
Tensor as_tensor(const Tensor& y, const Tensor& /*x*/) { return y; }

// The members that d2l generates from its table of operations, and Python's operators.
// clang-format off
#define UNARY(name, ...) \
  c.def(#name, [](const Tensor& x) { return x.name(); }); \
  c.def(#name "_", [](Tensor x) { return x.name##_(); });
#define OF_TENSORS(name, ...) c.def(#name, of(&Tensor::name), "other"_a);
#define LOGICAL(name, ...) \
  OF_TENSORS(name) \
  OF_TENSORS(name##_)
#define COMPARISON(name, ...) \
  with_operand(c, #name, [](auto& x, const auto& y) { return x.name(y); }, "other"_a);
#define BINARY(name, ...) \
  COMPARISON(name) \
  COMPARISON(name##_)
#define WITH_ALPHA(name) \
  with_operand<Scalar>(c, #name, [](auto& x, const auto& y, Scalar alpha) { return x.name(y, alpha); }, "other"_a, \
                       py::kw_only(), "alpha"_a);
#define OPERATOR(name, expression) \
  with_operand(c, "__" #name "__", [](auto& x, const auto& y) { return expression; }, py::is_operator());
#define ARITHMETIC(name, symbol) \
  OPERATOR(name, x symbol y) \
  OPERATOR(r##name, y symbol x) \
  OPERATOR(i##name, x symbol##= y)
// clang-format on
void bind_elementwise(TensorClass& c) {
  D2L_UNARY_OPERATIONS(UNARY)
  D2L_BINARY_OPERATIONS(BINARY)
  D2L_PAIR_OPERATIONS(OF_TENSORS)
  D2L_COMPARISONS(COMPARISON)
  D2L_LOGICAL_OPERATIONS(LOGICAL)
  WITH_ALPHA(add)
  WITH_ALPHA(sub)
  WITH_ALPHA(add_)
  WITH_ALPHA(sub_)
  ARITHMETIC(add, +)
  ARITHMETIC(sub, -)
  ARITHMETIC(mul, *)
  ARITHMETIC(truediv, /)
  OPERATOR(mod, x % y)
  OPERATOR(rmod, y % x)
  OPERATOR(imod, x.remainder_(y))
  OPERATOR(floordiv, x.floor_divide(y))
  OPERATOR(rfloordiv, as_tensor(y, x).floor_divide(x))
  OPERATOR(ifloordiv, x.floor_divide_(y))
  OPERATOR(pow, pow(x, y))
  OPERATOR(rpow, pow(y, x))
  OPERATOR(ipow, x.pow_(y))
  OPERATOR(eq, x == y)
  OPERATOR(ne, x != y)
  OPERATOR(lt, x < y)
  OPERATOR(le, x <= y)
  OPERATOR(gt, x > y)
  OPERATOR(ge, x >= y)
  c.def("__matmul__", of(&Tensor::matmul), py::is_operator());
  c.def("__neg__", of(&Tensor::neg));
}

/// The elementwise members that no list of the table has.
void bind_other_elementwise(TensorClass& c) {
  c.def(
      "round", [](const Tensor& x, Integer decimals) { return x.round(decimals); }, py::kw_only(), "decimals"_a);
  c.def("square", of(&Tensor::square));
  c.def("square_", of(&Tensor::square_));
  c.def("isnan", of(&Tensor::isnan));
  c.def("isinf", of(&Tensor::isinf));
  c.def("isfinite", of(&Tensor::isfinite));
  c.def("logical_not", of(&Tensor::logical_not));
  c.def("logical_not_", of(&Tensor::logical_not_));
  using MaybeNumber = std::optional<Scalar>;
  const auto min = "min"_a = py::none();
  const auto max = "max"_a = py::none();
  c.def(
      "clamp", [](const Tensor& x, MaybeNumber a, MaybeNumber b) { return x.clamp(a, b); }, min, max);
  c.def(
      "clamp", [](const Tensor& x, const MaybeTensor& a, const MaybeTensor& b) { return x.clamp(a, b); }, min, max);
  c.def(
      "clamp_", [](Tensor x, MaybeNumber a, MaybeNumber b) { return x.clamp_(a, b); }, min, max);
  c.def(
      "clamp_", [](Tensor x, const MaybeTensor& a, const MaybeTensor& b) { return x.clamp_(a, b); }, min, max);
  with_operand(
      c, "clamp_min", [](auto& x, const auto& y) { return x.clamp_min(y); }, "min"_a);
  with_operand(
      c, "clamp_max", [](auto& x, const auto& y) { return x.clamp_max(y); }, "max"_a);
  with_operand(
      c, "clamp_min_", [](auto& x, const auto& y) { return x.clamp_min_(y); }, "min"_a);
  with_operand(
      c, "clamp_max_", [](auto& x, const auto& y) { return x.clamp_max_(y); }, "max"_a);
  const auto value = "value"_a;
  c.def("masked_fill", of<Tensor, const Tensor&, Scalar>(&Tensor::masked_fill), "mask"_a, value);
  c.def("masked_fill", of<Tensor, const Tensor&, const Tensor&>(&Tensor::masked_fill), "mask"_a, value);
  c.def("masked_fill_", of<const Tensor&, Scalar>(&Tensor::masked_fill_), "mask"_a, value);
  c.def("masked_fill_", of<const Tensor&, const Tensor&>(&Tensor::masked_fill_), "mask"_a, value);
  c.def("where", of<Tensor, const Tensor&, const Tensor&>(&Tensor::where), "condition"_a, "other"_a);
  c.def("where", of<Tensor, const Tensor&, Scalar>(&Tensor::where), "condition"_a, "other"_a);
  c.def("softmax", of(&Tensor::softmax), "dim"_a);
}

void bind_reductions(TensorClass& c) {
  using OfAll = Tensor (Tensor::*)() const;
  using OverDims = Tensor (Tensor::*)(IntArrayRef, bool) const;
  using OverDim = std::tuple<Tensor, Tensor> (Tensor::*)(Integer, bool) const;
  for (const auto& [name, of_all, over_dims] :
       {std::tuple("sum", OfAll(&Tensor::sum), OverDims(&Tensor::sum)), {"mean", &Tensor::mean, &Tensor::mean}}) {
    c.def(name, of(over_dims), "dim"_a, "keepdim"_a = false);
    const auto of_none = [method = of(of_all)](const Tensor& x, const py::none& /*dim*/) { return method(x); };
    c.def(name, of_none, "dim"_a = py::none());
  }
  for (const auto& [name, of_all, over_dim] :
       {std::tuple("max", OfAll(&Tensor::max), OverDim(&Tensor::max)), {"min", &Tensor::min, &Tensor::min}}) {
    c.def(name, of(of_all));
    c.def(name, of(over_dim));
  }
  c.def("argmax", of(&Tensor::argmax), "dim"_a = py::none(), "keepdim"_a = false);
  c.def("norm", of<Tensor, Scalar>(&Tensor::norm), "p"_a = 2);
  c.def("norm", of<Tensor, std::optional<Scalar>, IntArrayRef, bool>(&Tensor::norm), "p"_a = 2, "dim"_a,
        "keepdim"_a = false);
}

void bind_views(TensorClass& c) {
  c.def("view", of(&Tensor::view), "size"_a);
  c.def("reshape", of(&Tensor::reshape), "shape"_a);
  c.def("expand", of(&Tensor::expand), "size"_a);
  c.def("permute", of(&Tensor::permute), "dims"_a);
  c.def("unsqueeze", of(&Tensor::unsqueeze), "dim"_a);
  c.def("squeeze", of<Tensor>(&Tensor::squeeze));
  c.def("squeeze", of<Tensor, Integer>(&Tensor::squeeze), "dim"_a);
  c.def("transpose", of(&Tensor::transpose), "dim0"_a, "dim1"_a);
  c.def("t", of(&Tensor::t));
  c.def("select", of(&Tensor::select), "dim"_a, "index"_a);
  c.def("_item", [](const Tensor& x, Integer i) { return x[i]; });
  c.def("_slice", of(&Tensor::slice));
  c.def("_assign", [](Tensor part, const Tensor& values) { std::move(part) = values; });
  c.def("_assign", [](Tensor part, Scalar value) { std::move(part) = value; });
  c.def("contiguous", of(&Tensor::contiguous));
  c.def("clone", of(&Tensor::clone));
}

void bind_values(TensorClass& c) {
  const auto non_blocking = "non_blocking"_a = false;
  const auto copy = "copy"_a = false;
  const auto to = [](const Tensor& x, std::optional<Device> device, std::optional<ScalarType> dtype, bool async,
                     bool always) {
    d2l::TensorOptions options;
    if (device) options = options.device(*device);
    if (dtype) options = options.dtype(*dtype);
    return x.to(options, async, always);
  };
  c.def("to", of<Tensor, const Tensor&, bool, bool>(&Tensor::to), "other"_a, non_blocking, copy);
  c.def("to", of<Tensor, ScalarType, bool, bool>(&Tensor::to), "dtype"_a, non_blocking, copy);
  c.def("to", to, "device"_a = py::none(), "dtype"_a = py::none(), non_blocking, copy);
  c.def("cpu", of(&Tensor::cpu));
  c.def("item", of<Scalar>(&Tensor::item));
  c.def("__bool__", of(&Tensor::is_nonzero));
  c.def("_to_reals", [](const Tensor& x) { return x.to_vector<double>(); });
  c.def("_to_integers", [](const Tensor& x) { return x.to_vector<Integer>(); });
  c.def("data_ptr", [](const Tensor& x) { return reinterpret_cast<std::uintptr_t>(x.data_ptr()); });
  c.def("zero_", of(&Tensor::zero_));
  c.def("fill_", of(&Tensor::fill_), "value"_a);
  c.def("copy_", of(&Tensor::copy_), "src"_a, non_blocking);
  c.def("equal", of(&Tensor::equal), "other"_a);
  c.def("allclose", of(&Tensor::allclose), "other"_a, "rtol"_a = 1e-5, "atol"_a = 1e-8, "equal_nan"_a = false);
  c.def("matmul", of(&Tensor::matmul), "other"_a);
  c.def("mm", of(&Tensor::mm), "mat2"_a);
  c.def("log_softmax", of(&Tensor::log_softmax), "dim"_a);
  c.def("__repr__", [](const Tensor& x) { return repr(x); });
  c.def("__str__", printed<Tensor>);
}

void bind_properties(TensorClass& c) {
  c.def("dim", of(&Tensor::dim));
  c.def("numel", of(&Tensor::numel));
  c.def("element_size", of(&Tensor::element_size));
  c.def("storage_offset", of(&Tensor::storage_offset));
  c.def("is_contiguous", of(&Tensor::is_contiguous));
  c.def("_size", of(&Tensor::size));
  c.def("stride", of(&Tensor::strides));
  c.def("stride", of(&Tensor::stride), "dim"_a);
  c.def_property_readonly("_sizes", of(&Tensor::sizes));
  c.def_property_readonly("dtype", of(&Tensor::dtype));
  c.def_property_readonly("device", of(&Tensor::device));
  c.def_property_readonly("ndim", of(&Tensor::dim));
  c.def_property_readonly("is_cuda", of(&Tensor::is_cuda));
  c.def_property_readonly("_version", of(&Tensor::_version));
  c.def_property_readonly("_parameter_state", [](const Tensor& x) { return static_cast<int>(x.impl()->parameter); });
  c.def_property_readonly("is_leaf", of(&Tensor::is_leaf));
  c.def_property_readonly("grad_fn", of(&Tensor::grad_fn));
  const auto set_grad = [](const Tensor& x, const std::optional<Tensor>& grad) { x.set_grad(grad.value_or(Tensor())); };
  c.def_property("data", of(&Tensor::data), of(&Tensor::set_data));
  c.def_property("grad", of(&Tensor::grad), set_grad);
  c.def_property("requires_grad", of(&Tensor::requires_grad), of(&Tensor::set_requires_grad));
  c.def("requires_grad_", of(&Tensor::requires_grad_), "requires_grad"_a = true);
  c.def("detach", of(&Tensor::detach));
  c.def("detach_", of(&Tensor::detach_));
  const auto backward = [](const Tensor& x, const std::optional<Tensor>& gradient, std::optional<bool> keep) {
    x.backward(gradient.value_or(Tensor()), keep);
  };
  c.def("backward", backward, "gradient"_a = py::none(), "retain_graph"_a = py::none());
}

}  // namespace

void bind_tensors(py::module_& module) {
  py::class_<Dtype>(module, "dtype")
      .def("__repr__", [](const Dtype& d) { return d2l::repr(d.type); })
      .def_property_readonly("is_floating_point", [](const Dtype& d) { return d2l::isFloatingType(d.type); });
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    auto& dtype = dtypes.at(i);
    dtype.type = static_cast<ScalarType>(i);
    module.attr(d2l::repr(dtype.type).substr(6).c_str()) = py::cast(&dtype, py::return_value_policy::reference);
  }
  py::class_<Place>(module, "device")
      .def(py::init([](Device type) { return Place{type}; }), "type"_a)
      .def(py::init([](Device type, int index) { return Place{Device(type.type(), index)}; }), "type"_a, "index"_a)
      .def_property_readonly("type", [](const Place& p) { return p.device.is_cpu() ? "cpu" : "cuda"; })
      .def_property_readonly("_index", [](const Place& p) { return p.device.index(); })
      .def(
          "__eq__", [](const Place& p, const Place& q) { return p.device == q.device; }, py::is_operator())
      .def("__repr__", [](const Place& p) { return repr(p.device); })
      .def("__str__", [](const Place& p) { return printed(p.device); });
  TensorClass tensor(module, "Tensor");
  bind_elementwise(tensor);
  bind_other_elementwise(tensor);
  bind_reductions(tensor);
  bind_views(tensor);
  bind_values(tensor);
  bind_properties(tensor);
  bind_array_members(tensor);
  bind_names(module, tensor);
  module.def("format_tensor", [](const Tensor& x, bool requires_grad, const std::string& grad_fn) {
    return d2l::detail::format_tensor(x, {requires_grad, grad_fn});
  });
}

}  // namespace golden
