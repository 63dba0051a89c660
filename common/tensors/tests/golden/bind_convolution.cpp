// SPDX-License-Identifier: MIT
// The module _d2l: convolutions.
#include "golden/binding.h"

namespace golden {
namespace {

using d2l::ExpandingArray;
using d2l::Tensor;
namespace nn = d2l::nn;
using Sizes = std::vector<Integer>;

/// A number or a list of numbers.
Sizes numbers(const py::handle& value) {
  return py::isinstance<py::int_>(value) ? Sizes{value.cast<Integer>()} : value.cast<Sizes>();
}

ExpandingArray<2> pair(const py::handle& value) {
  return py::isinstance<py::int_>(value) ? ExpandingArray<2>(value.cast<Integer>()) : value.cast<Sizes>();
}

Tensor conv2d(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const py::object& stride,
              const py::object& padding, const py::object& dilation, Integer groups) {
  const Tensor added = bias.value_or(Tensor());
  if (py::isinstance<py::str>(padding)) {
    return d2l::conv2d(input, weight, added, numbers(stride), padding.cast<std::string>(), numbers(dilation), groups);
  }
  return d2l::conv2d(input, weight, added, numbers(stride), numbers(padding), numbers(dilation), groups);
}

nn::Conv2dPadding padding_of(const py::object& value) {
  if (!py::isinstance<py::str>(value)) return pair(value);
  const auto name = value.cast<std::string>();
  if (name == "same") return d2l::kSame;
  if (name == "valid") return d2l::kValid;
  throw py::value_error("Invalid padding string '" + name + "', should be one of {'valid', 'same'}");
}

nn::Conv2dOptions options_of(Integer in_channels, Integer out_channels, const py::object& kernel_size,
                             const py::object& stride, const py::object& padding, const py::object& dilation,
                             Integer groups, bool bias, MaybeDevice device, MaybeDtype dtype) {
  return nn::Conv2dOptions(in_channels, out_channels, pair(kernel_size))
      .stride(pair(stride))
      .padding(padding_of(padding))
      .dilation(pair(dilation))
      .groups(groups)
      .bias(bias)
      .device(device.value_or(default_device))
      .dtype(dtype.value_or(d2l::kFloat));
}

}  // namespace

void bind_convolution(py::module_& m) {
  const auto kernel_size = "kernel_size"_a;
  const auto stride = "stride"_a = 1;
  const auto padding = "padding"_a = 0;
  const auto dilation = "dilation"_a = 1;
  const auto groups = "groups"_a = 1;
  const auto bias = "bias"_a = true;
  const auto device = "device"_a = py::none();
  const auto dtype = "dtype"_a = py::none();
  const auto layer = [](Integer in, Integer out, const py::object& size, const py::object& step, const py::object& pad,
                        const py::object& gaps, Integer parts, bool with_bias, MaybeDevice where, MaybeDtype type) {
    return std::make_shared<nn::Conv2dImpl>(options_of(in, out, size, step, pad, gaps, parts, with_bias, where, type));
  };
  const auto lazy = [](Integer out, const py::object& size, const py::object& step, const py::object& pad,
                       const py::object& gaps, Integer parts, bool with_bias, MaybeDevice where, MaybeDtype type) {
    return std::make_shared<nn::LazyConv2dImpl>(
        options_of(0, out, size, step, pad, gaps, parts, with_bias, where, type));
  };
  m.def("conv2d", &conv2d, "input"_a, "weight"_a, "bias"_a = py::none(), stride, padding, dilation, groups);
  py::class_<nn::Conv2dImpl, nn::Module, std::shared_ptr<nn::Conv2dImpl>>(m, "Conv2d")
      .def(py::init(layer), "in_channels"_a, "out_channels"_a, kernel_size, stride, padding, dilation, groups, bias,
           device, dtype)
      .def("reset_parameters", &nn::Conv2dImpl::reset_parameters)
      .def_property_readonly("weight", [](const nn::Conv2dImpl& l) { return l.weight; })
      .def_property_readonly("bias", [](const nn::Conv2dImpl& l) { return l.bias; })
      .def_property_readonly("in_channels", [](const nn::Conv2dImpl& l) { return l.options.in_channels(); })
      .def_property_readonly("out_channels", [](const nn::Conv2dImpl& l) { return l.options.out_channels(); })
      .def_property_readonly("groups", [](const nn::Conv2dImpl& l) { return l.options.groups(); });
  py::class_<nn::LazyConv2dImpl, nn::Conv2dImpl, std::shared_ptr<nn::LazyConv2dImpl>>(m, "LazyConv2d")
      .def(py::init(lazy), "out_channels"_a, kernel_size, stride, padding, dilation, groups, bias, device, dtype);
}

}  // namespace golden
