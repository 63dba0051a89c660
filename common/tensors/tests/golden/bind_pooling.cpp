// SPDX-License-Identifier: MIT
// The module _d2l: poolings, as functions and as layers.
#include "golden/binding.h"

namespace golden {
namespace {

using d2l::IntArrayRef;
using d2l::Tensor;
namespace nn = d2l::nn;
using Sizes = std::vector<Integer>;
using MaybeSizes = std::optional<Sizes>;
using One = std::variant<Integer, Sizes>;
using MaybeOne = std::optional<One>;
using OptionalSizes = std::vector<std::optional<Integer>>;
using AdaptiveSize = std::variant<Integer, OptionalSizes>;
template <class Layer>
using PoolingClass = py::class_<Layer, nn::Module, std::shared_ptr<Layer>>;

template <class T, class Given>
d2l::ExpandingArray<2, T> expanded(const Given& given) {
  return std::visit([](const auto& value) { return d2l::ExpandingArray<2, T>(value); }, given);
}

d2l::ExpandingArray<2> pair_of(const One& given) { return expanded<Integer>(given); }

/// A list, or one integer; none is an empty list.
struct List {
  explicit List(const MaybeOne& given) {
    if (!given) return;
    const auto* const one = std::get_if<Integer>(&*given);
    numbers = one != nullptr ? Sizes{*one} : std::get<Sizes>(*given);
  }
  operator IntArrayRef() const { return numbers; }  // NOLINT(google-explicit-constructor)
  Sizes numbers;
};

py::object max_pool2d(const Tensor& input, const One& kernel_size, const MaybeOne& stride, const One& padding,
                      const One& dilation, bool ceil_mode, bool return_indices) {
  const auto both =
      d2l::max_pool2d_with_indices(input, List(kernel_size), List(stride), List(padding), List(dilation), ceil_mode);
  return return_indices ? py::cast(both) : py::cast(std::get<0>(both));
}

Tensor avg_pool2d(const Tensor& input, const One& kernel_size, const MaybeOne& stride, const One& padding,
                  bool ceil_mode, bool count_include_pad, std::optional<Integer> divisor_override) {
  return d2l::avg_pool2d(input, List(kernel_size), List(stride), List(padding), ceil_mode, count_include_pad,
                         divisor_override);
}

Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveSize& output_size) {
  const auto* const list = std::get_if<OptionalSizes>(&output_size);
  if (list != nullptr && list->size() != 2) {
    const Sizes numbers(list->size(), 1);
    return d2l::adaptive_avg_pool2d(input, numbers);
  }
  return nn::functional::adaptive_avg_pool2d(input, expanded<std::optional<Integer>>(output_size));
}

}  // namespace

void bind_pooling(py::module_& m) {
  const auto kernel_size = "kernel_size"_a;
  const auto stride = "stride"_a = py::none();
  const auto padding = "padding"_a = 0;
  const auto dilation = "dilation"_a = 1;
  const auto return_indices = "return_indices"_a = false;
  const auto ceil_mode = "ceil_mode"_a = false;
  const auto include = "count_include_pad"_a = true;
  const auto divisor = "divisor_override"_a = py::none();
  m.def("max_pool2d", &max_pool2d, "input"_a, kernel_size, stride, padding, dilation, ceil_mode, return_indices);
  m.def("avg_pool2d", &avg_pool2d, "input"_a, kernel_size, stride, padding, ceil_mode, include, divisor);
  m.def("adaptive_avg_pool2d", &adaptive_avg_pool2d, "input"_a, "output_size"_a);
  const auto largest = [](const One& size, const MaybeOne& step, const One& pad, const One& apart, bool indices,
                          bool ceil) {
    if (indices) throw py::type_error("layers with indices");
    auto options = nn::MaxPool2dOptions(pair_of(size)).padding(pair_of(pad)).dilation(pair_of(apart)).ceil_mode(ceil);
    if (step) options.stride(pair_of(*step));
    return std::make_shared<nn::MaxPool2dImpl>(options);
  };
  const auto average = [](const One& size, const MaybeOne& step, const One& pad, bool ceil, bool includes,
                          std::optional<Integer> number) {
    auto options = nn::AvgPool2dOptions(pair_of(size)).padding(pair_of(pad)).ceil_mode(ceil);
    options.count_include_pad(includes).divisor_override(number);
    if (step) options.stride(pair_of(*step));
    return std::make_shared<nn::AvgPool2dImpl>(options);
  };
  const auto adaptive = [](const AdaptiveSize& size) {
    return std::make_shared<nn::AdaptiveAvgPool2dImpl>(expanded<std::optional<Integer>>(size));
  };
  PoolingClass<nn::MaxPool2dImpl>(m, "MaxPool2d")
      .def(py::init(largest), kernel_size, stride, padding, dilation, return_indices, ceil_mode);
  PoolingClass<nn::AvgPool2dImpl>(m, "AvgPool2d")
      .def(py::init(average), kernel_size, stride, padding, ceil_mode, include, divisor);
  PoolingClass<nn::AdaptiveAvgPool2dImpl>(m, "AdaptiveAvgPool2d").def(py::init(adaptive), "output_size"_a);
}

}  // namespace golden
