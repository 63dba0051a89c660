// SPDX-License-Identifier: MIT
// How values cross the border between Python and this library, for the module _d2l.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/tensor_impl.h"
#include "library.h"

namespace golden {

namespace py = pybind11;
using namespace pybind11::literals;
using Integer = std::int64_t;
using MaybeDevice = std::optional<d2l::Device>;
using MaybeDtype = std::optional<d2l::ScalarType>;
using MaybeTensor = std::optional<d2l::Tensor>;

/// Python's torch.dtype: there is one object for each element type.
struct Dtype {
  d2l::ScalarType type;
};
inline std::array<Dtype, d2l::scalar_type_count> dtypes;
/// Python's torch.device.
struct Place {
  d2l::Device device;
};
/// The device of tensors and layers for which the code names no device.
inline d2l::Device default_device{d2l::kCPU};

/// A method of d2l::Tensor as a function of it, for the Python class of its TensorImpl.
template <class Result, class... Parameters>
auto of(Result (d2l::Tensor::*method)(Parameters...) const) {
  return [method](const d2l::Tensor& x, Parameters... rest) -> std::decay_t<Result> { return (x.*method)(rest...); };
}
template <class Result, class... Parameters>
auto of(Result (d2l::TensorBase::*method)(Parameters...) const) {
  return [method](const d2l::Tensor& x, Parameters... rest) -> std::decay_t<Result> { return (x.*method)(rest...); };
}
template <class Result, class... Parameters>
auto of(Result (d2l::TensorMembers::*method)(Parameters...) const) {
  return [method](const d2l::Tensor& x, Parameters... rest) -> std::decay_t<Result> { return (x.*method)(rest...); };
}
template <class... Parameters>
auto of(d2l::Tensor& (d2l::Tensor::*method)(Parameters...)) {
  return [method](d2l::Tensor x, Parameters... rest) { return (x.*method)(rest...), x; };
}

using TensorClass = py::class_<d2l::detail::TensorImpl, std::shared_ptr<d2l::detail::TensorImpl>>;

void bind_tensors(py::module_& module);
void bind_array_members(TensorClass& tensor);
void bind_functions(py::module_& module);
void bind_modules(py::module_& module);
void bind_optimizers(py::module_& module);
void bind_pooling(py::module_& module);
void bind_normalisations(py::module_& m);
void bind_convolution(py::module_& module);
void bind_names(py::module_& module, TensorClass& tensor);
void bind_sequences(py::module_& module);

}  // namespace golden

namespace pybind11::detail {

/// A tensor is the Python object of its TensorImpl, so that `is` compares tensors; None is an undefined one.
template <>
struct type_caster<d2l::Tensor> {
  using Impl = d2l::detail::TensorImpl;
  PYBIND11_TYPE_CASTER(d2l::Tensor, const_name("Tensor"));
  bool load(handle source, bool /*convert*/) {
    if (!isinstance<Impl>(source)) return false;
    value = d2l::Tensor(pybind11::cast<std::shared_ptr<Impl>>(source));
    return true;
  }
  static handle cast(const d2l::Tensor& tensor, return_value_policy /*policy*/, handle /*parent*/) {
    return tensor.defined() ? pybind11::cast(tensor.impl()).release() : none().release();
  }
};

template <>
struct type_caster<d2l::Scalar> {
  PYBIND11_TYPE_CASTER(d2l::Scalar, const_name("number"));
  bool load(handle source, bool /*convert*/) {
    make_caster<golden::Integer> integer;
    if (PyBool_Check(source.ptr()) != 0) {
      value = source.ptr() == Py_True;
    } else if (PyFloat_Check(source.ptr()) != 0) {
      value = PyFloat_AsDouble(source.ptr());
    } else if (PyLong_Check(source.ptr()) != 0 && integer.load(source, false)) {
      value = static_cast<golden::Integer>(integer);
    } else {
      return false;
    }
    return true;
  }
  static handle cast(const d2l::Scalar& number, return_value_policy /*policy*/, handle /*parent*/) {
    if (number.isBoolean()) return bool_(number.toBool()).release();
    return number.isFloatingPoint() ? float_(number.toDouble()).release() : int_(number.toLong()).release();
  }
};

/// A dtype, or the Python type that stands for one.
template <>
struct type_caster<d2l::ScalarType> {
  PYBIND11_TYPE_CASTER(d2l::ScalarType, const_name("dtype"));
  bool load(handle source, bool /*convert*/) {
    const auto* const type = reinterpret_cast<PyTypeObject*>(source.ptr());
    if (isinstance<golden::Dtype>(source)) {
      value = pybind11::cast<golden::Dtype&>(source).type;
    } else if (type == &PyBool_Type || type == &PyLong_Type) {
      value = type == &PyBool_Type ? d2l::kBool : d2l::kInt64;
    } else {
      value = d2l::kFloat64;
      return type == &PyFloat_Type;
    }
    return true;
  }
  static handle cast(d2l::ScalarType type, return_value_policy /*policy*/, handle parent) {
    auto& dtype = golden::dtypes.at(static_cast<std::size_t>(type));
    return make_caster<golden::Dtype>::cast(&dtype, return_value_policy::reference, parent);
  }
};

/// A device, its name, or the index of a GPU.
template <>
struct type_caster<d2l::Device> {
  d2l::Device value{d2l::kCPU};
  static constexpr auto name = const_name("device");
  template <class T>
  using cast_op_type = d2l::Device&;
  operator d2l::Device&() { return value; }  // NOLINT(google-explicit-constructor)
  bool load(handle source, bool /*convert*/) {
    if (isinstance<golden::Place>(source)) {
      value = pybind11::cast<golden::Place&>(source).device;
    } else if (isinstance<str>(source)) {
      value = d2l::Device(pybind11::cast<std::string>(source));
    } else {
      if (PyLong_Check(source.ptr()) == 0 || PyBool_Check(source.ptr()) != 0) return false;
      value = d2l::gpu(pybind11::cast<int>(source));
    }
    return true;
  }
  static handle cast(d2l::Device device, return_value_policy /*policy*/, handle /*parent*/) {
    return pybind11::cast(golden::Place{device}).release();
  }
};

/// Sizes or dimension numbers: a list, or one integer.
template <>
struct type_caster<d2l::IntArrayRef> {
  std::vector<golden::Integer> list;
  static constexpr auto name = const_name("sizes");
  template <class T>
  using cast_op_type = d2l::IntArrayRef;
  operator d2l::IntArrayRef() { return list; }  // NOLINT(google-explicit-constructor)
  bool load(handle source, bool convert) {
    make_caster<std::vector<golden::Integer>> loaded;
    const auto sequence = PyLong_Check(source.ptr()) != 0 ? make_tuple(source) : reinterpret_borrow<object>(source);
    if (!loaded.load(sequence, convert)) return false;
    list = cast_op<std::vector<golden::Integer>&&>(std::move(loaded));
    return true;
  }
  static handle cast(d2l::IntArrayRef sizes, return_value_policy /*policy*/, handle /*parent*/) {
    return tuple(pybind11::cast(sizes.vec())).release();
  }
};

}  // namespace pybind11::detail
