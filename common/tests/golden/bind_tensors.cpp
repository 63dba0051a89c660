// SPDX-License-Identifier: MIT
// The module _d2l: devices, dtypes, and the members of Tensor.
#include <sstream>

#include "golden/binding.h"
#include "kernels/operations.h"
#include "printing/printing.h"

namespace golden {
namespace {

using d2l::Device;
using d2l::Scalar;
using d2l::ScalarType;
using d2l::Tensor;
using TensorClass = py::class_<d2l::detail::TensorImpl, std::shared_ptr<d2l::detail::TensorImpl>>;

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

// The members that d2l generates from its table of operations, and Python's operators.
void bind_elementwise(TensorClass& c) {
#define UNARY(name, ...)                                  \
  c.def(#name, [](const Tensor& x) { return x.name(); }); \
  c.def(#name "_", [](Tensor x) { return Tensor(x.name##_()); });
#define COMPARISON(name, ...)                                                        \
  c.def(                                                                             \
      #name, [](const Tensor& x, const Tensor& y) { return x.name(y); }, "other"_a); \
  c.def(                                                                             \
      #name, [](const Tensor& x, Scalar y) { return x.name(y); }, "other"_a);
#define BINARY(name, ...)                                                                    \
  COMPARISON(name)                                                                           \
  c.def(                                                                                     \
      #name "_", [](Tensor x, const Tensor& y) { return Tensor(x.name##_(y)); }, "other"_a); \
  c.def(                                                                                     \
      #name "_", [](Tensor x, Scalar y) { return Tensor(x.name##_(y)); }, "other"_a);
#define WITH_ALPHA(name)                                                                                          \
  c.def(                                                                                                          \
      #name, [](Tensor x, const Tensor& y, Scalar alpha) { return Tensor(x.name(y, alpha)); }, "other"_a,         \
      py::kw_only(), "alpha"_a);                                                                                  \
  c.def(                                                                                                          \
      #name, [](Tensor x, Scalar y, Scalar alpha) { return Tensor(x.name(y, alpha)); }, "other"_a, py::kw_only(), \
      "alpha"_a);
#define OPERATOR(name, symbol)                                                                          \
  c.def(                                                                                                \
      "__" #name "__", [](const Tensor& x, const Tensor& y) { return x symbol y; }, py::is_operator()); \
  c.def(                                                                                                \
      "__" #name "__", [](const Tensor& x, Scalar y) { return x symbol y; }, py::is_operator());
#define ARITHMETIC(name, symbol)                                                                              \
  OPERATOR(name, symbol)                                                                                      \
  c.def(                                                                                                      \
      "__r" #name "__", [](const Tensor& x, Scalar y) { return y symbol x; }, py::is_operator());             \
  c.def(                                                                                                      \
      "__i" #name "__", [](Tensor x, const Tensor& y) { return Tensor(x symbol## = y); }, py::is_operator()); \
  c.def(                                                                                                      \
      "__i" #name "__", [](Tensor x, Scalar y) { return Tensor(x symbol## = y); }, py::is_operator());
  D2L_UNARY_OPERATIONS(UNARY)
  D2L_BINARY_OPERATIONS(BINARY)
  D2L_COMPARISONS(COMPARISON)
  WITH_ALPHA(add)
  WITH_ALPHA(sub)
  WITH_ALPHA(add_)
  WITH_ALPHA(sub_)
  ARITHMETIC(add, +)
  ARITHMETIC(sub, -)
  ARITHMETIC(mul, *)
  ARITHMETIC(truediv, /)
  OPERATOR(eq, ==)
  OPERATOR(ne, !=)
  OPERATOR(lt, <)
  OPERATOR(le, <=)
  OPERATOR(gt, >)
  OPERATOR(ge, >=)
  c.def(
      "__rpow__", [](const Tensor& x, Scalar y) { return pow(y, x); }, py::is_operator());
  c.def(
      "__matmul__", [](const Tensor& x, const Tensor& y) { return x.matmul(y); }, py::is_operator());
  c.def("__neg__", [](const Tensor& x) { return -x; });
}

void bind_reductions(TensorClass& c) {
#define OVER_SOME(name)                                                                                 \
  c.def(                                                                                                \
      #name, [](const Tensor& x, const Sizes& dims, bool keep) { return x.name(dims, keep); }, "dim"_a, \
      "keepdim"_a = false);                                                                             \
  c.def(                                                                                                \
      #name, [](const Tensor& x, py::none /*dim*/) { return x.name(); }, "dim"_a = py::none());
#define EXTREME(name)                                     \
  c.def(#name, [](const Tensor& x) { return x.name(); }); \
  c.def(                                                  \
      #name, [](const Tensor& x, Integer dim, bool keep) { return x.name(dim, keep); }, "dim"_a, "keepdim"_a);
  OVER_SOME(sum)
  OVER_SOME(mean)
  EXTREME(max)
  EXTREME(min)
  c.def(
      "argmax", [](const Tensor& x, std::optional<Integer> dim, bool keep) { return x.argmax(dim, keep); },
      "dim"_a = py::none(), "keepdim"_a = false);
  c.def(
      "norm", [](const Tensor& x, Scalar p) { return x.norm(p); }, "p"_a = 2);
  c.def(
      "norm", [](const Tensor& x, Scalar p, const Sizes& dims, bool keep) { return x.norm(p, dims, keep); }, "p"_a = 2,
      "dim"_a, "keepdim"_a = false);
}

void bind_views(TensorClass& c) {
  c.def(
      "view", [](const Tensor& x, const Sizes& sizes) { return x.view(sizes); }, "size"_a);
  c.def(
      "reshape", [](const Tensor& x, const Sizes& sizes) { return x.reshape(sizes); }, "shape"_a);
  c.def(
      "expand", [](const Tensor& x, const Sizes& sizes) { return x.expand(sizes); }, "size"_a);
  c.def(
      "permute", [](const Tensor& x, const Sizes& dims) { return x.permute(dims); }, "dims"_a);
  c.def(
      "unsqueeze", [](const Tensor& x, Integer dim) { return x.unsqueeze(dim); }, "dim"_a);
  c.def("squeeze", [](const Tensor& x) { return x.squeeze(); });
  c.def(
      "squeeze", [](const Tensor& x, Integer dim) { return x.squeeze(dim); }, "dim"_a);
  c.def(
      "transpose", [](const Tensor& x, Integer a, Integer b) { return x.transpose(a, b); }, "dim0"_a, "dim1"_a);
  c.def("t", [](const Tensor& x) { return x.t(); });
  c.def(
      "select", [](const Tensor& x, Integer dim, Integer index) { return x.select(dim, index); }, "dim"_a, "index"_a);
  c.def("_item", [](const Tensor& x, Integer index) { return x[index]; });
  c.def("_slice", [](const Tensor& x, Integer dim, std::optional<Integer> start, std::optional<Integer> end,
                     std::optional<Integer> step) { return x.slice(dim, start, end, step.value_or(1)); });
  c.def("_assign", [](Tensor part, const Tensor& values) { std::move(part) = values; });
  c.def("_assign", [](Tensor part, Scalar value) { std::move(part) = value; });
  c.def(
      "flatten",
      [](const Tensor& x, Integer start, Integer end) {
        return d2l::nn::Flatten(d2l::nn::FlattenOptions().start_dim(start).end_dim(end))->forward(x);
      },
      "start_dim"_a = 0, "end_dim"_a = -1);
  c.def("contiguous", [](const Tensor& x) { return x.contiguous(); });
  c.def("clone", [](const Tensor& x) { return x.clone(); });
}

void bind_values(TensorClass& c) {
  c.def(
      "to",
      [](const Tensor& x, const Tensor& other, bool non_blocking, bool copy) {
        return x.to(other, non_blocking, copy);
      },
      "other"_a, "non_blocking"_a = false, "copy"_a = false);
  c.def(
      "to",
      [](const Tensor& x, ScalarType dtype, bool non_blocking, bool copy) { return x.to(dtype, non_blocking, copy); },
      "dtype"_a, "non_blocking"_a = false, "copy"_a = false);
  c.def(
      "to",
      [](const Tensor& x, std::optional<Device> device, std::optional<ScalarType> dtype, bool non_blocking, bool copy) {
        d2l::TensorOptions options;
        if (device) options = options.device(*device);
        if (dtype) options = options.dtype(*dtype);
        return x.to(options, non_blocking, copy);
      },
      "device"_a = py::none(), "dtype"_a = py::none(), "non_blocking"_a = false, "copy"_a = false);
  c.def("cpu", [](const Tensor& x) { return x.cpu(); });
  c.def(
      "cuda", [](const Tensor& x, std::optional<Device> device) { return x.to(device.value_or(d2l::gpu())); },
      "device"_a = py::none());
  for (const auto& [name, type] : {std::pair("float", d2l::kFloat),
                                   {"double", d2l::kDouble},
                                   {"int", d2l::kInt},
                                   {"long", d2l::kLong},
                                   {"bool", d2l::kBool}}) {
    c.def(name, [type = type](const Tensor& x) { return x.to(type); });
  }
  c.def("item", [](const Tensor& x) { return x.item(); });
  c.def("__bool__", [](const Tensor& x) { return static_cast<bool>(x); });
  c.def("_to_reals", [](const Tensor& x) { return x.to_vector<double>(); });
  c.def("_to_integers", [](const Tensor& x) { return x.to_vector<Integer>(); });
  c.def("data_ptr", [](const Tensor& x) { return reinterpret_cast<std::uintptr_t>(x.data_ptr()); });
  c.def("zero_", [](Tensor x) { return Tensor(x.zero_()); });
  c.def(
      "fill_", [](Tensor x, Scalar value) { return Tensor(x.fill_(value)); }, "value"_a);
  c.def(
      "copy_", [](Tensor x, const Tensor& source) { return Tensor(x.copy_(source)); }, "src"_a);
  c.def(
      "equal", [](const Tensor& x, const Tensor& y) { return x.equal(y); }, "other"_a);
  c.def("allclose", &d2l::allclose, "other"_a, "rtol"_a = 1e-5, "atol"_a = 1e-8, "equal_nan"_a = false);
  c.def(
      "matmul", [](const Tensor& x, const Tensor& y) { return x.matmul(y); }, "other"_a);
  c.def(
      "mm", [](const Tensor& x, const Tensor& y) { return x.mm(y); }, "mat2"_a);
  c.def(
      "log_softmax", [](const Tensor& x, Integer dim) { return x.log_softmax(dim); }, "dim"_a);
  c.def("__repr__", [](const Tensor& x) { return repr(x); });
  c.def("__str__", [](const Tensor& x) { return printed(x); });
}

void bind_properties(TensorClass& c) {
  c.def("dim", [](const Tensor& x) { return x.dim(); });
  c.def("numel", [](const Tensor& x) { return x.numel(); });
  c.def("element_size", [](const Tensor& x) { return x.element_size(); });
  c.def("storage_offset", [](const Tensor& x) { return x.storage_offset(); });
  c.def("is_contiguous", [](const Tensor& x) { return x.is_contiguous(); });
  c.def("_sizes", [](const Tensor& x) { return x.sizes().vec(); });
  c.def("_strides", [](const Tensor& x) { return x.strides().vec(); });
  c.def("_size", [](const Tensor& x, Integer dim) { return x.size(dim); });
  c.def("_stride", [](const Tensor& x, Integer dim) { return x.stride(dim); });
  c.def_property_readonly("dtype", [](const Tensor& x) { return x.dtype(); });
  c.def_property_readonly("device", [](const Tensor& x) { return x.device(); });
  c.def_property_readonly("ndim", [](const Tensor& x) { return x.dim(); });
  c.def_property_readonly("is_cuda", [](const Tensor& x) { return x.is_cuda(); });
  c.def_property_readonly("_version", [](const Tensor& x) { return x._version(); });
  c.def_property_readonly("_parameter_state", [](const Tensor& x) { return static_cast<int>(x.impl()->parameter); });
  c.def_property_readonly("is_leaf", [](const Tensor& x) { return x.is_leaf(); });
  c.def_property_readonly("grad_fn", [](const Tensor& x) { return x.grad_fn(); });
  c.def_property(
      "data", [](const Tensor& x) { return x.data(); }, [](const Tensor& x, const Tensor& data) { x.set_data(data); });
  c.def_property(
      "grad", [](const Tensor& x) { return x.grad(); },
      [](const Tensor& x, const std::optional<Tensor>& grad) { x.set_grad(grad.value_or(Tensor())); });
  c.def_property(
      "requires_grad", [](const Tensor& x) { return x.requires_grad(); },
      [](const Tensor& x, bool wanted) { x.set_requires_grad(wanted); });
  c.def(
      "requires_grad_", [](const Tensor& x, bool wanted) { return Tensor(x.requires_grad_(wanted)); },
      "requires_grad"_a = true);
  c.def("detach", [](const Tensor& x) { return x.detach(); });
  c.def("detach_", [](const Tensor& x) { return Tensor(x.detach_()); });
  c.def(
      "backward",
      [](const Tensor& x, const std::optional<Tensor>& gradient, std::optional<bool> keep) {
        x.backward(gradient.value_or(Tensor()), keep);
      },
      "gradient"_a = py::none(), "retain_graph"_a = py::none());
}

}  // namespace

void bind_tensors(py::module_& module) {
  py::class_<Dtype>(module, "dtype")
      .def("__repr__", [](const Dtype& d) { return d2l::repr(d.type); })
      .def_property_readonly("is_floating_point", [](const Dtype& d) { return d2l::isFloatingType(d.type); });
  for (auto& dtype : dtypes) {
    module.attr(d2l::repr(dtype.type).substr(6).c_str()) = py::cast(&dtype, py::return_value_policy::reference);
  }
  py::class_<Place>(module, "device")
      .def(py::init([](Device type) { return Place{type}; }), "type"_a)
      .def(py::init([](Device type, int index) { return Place{Device(type.type(), index)}; }), "type"_a, "index"_a)
      .def_property_readonly("type", [](const Place& p) { return p.device.is_cpu() ? "cpu" : "cuda"; })
      .def_property_readonly("index",
                             [](const Place& p) {
                               const int index = p.device.index();
                               return index < 0 ? std::nullopt : std::optional(index);
                             })
      .def(
          "__eq__", [](const Place& a, const Place& b) { return a.device == b.device; }, py::is_operator())
      .def("__hash__", [](const Place& p) { return p.device.is_cpu() ? -2 : p.device.index(); })
      .def("__repr__", [](const Place& p) { return repr(p.device); })
      .def("__str__", [](const Place& p) { return printed(p.device); });
  TensorClass tensor(module, "Tensor");
  bind_elementwise(tensor);
  bind_reductions(tensor);
  bind_views(tensor);
  bind_values(tensor);
  bind_properties(tensor);
  module.def("format_tensor", [](const Tensor& x, bool requires_grad, const std::string& grad_fn) {
    return d2l::detail::format_tensor(x, {requires_grad, grad_fn});
  });
}

}  // namespace golden
