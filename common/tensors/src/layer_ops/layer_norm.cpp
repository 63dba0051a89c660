// SPDX-License-Identifier: MIT
// layer_norm.
#include <fmt/format.h>

#include "autocast/casts.h"
#include "d2l/layer_ops.h"
#include "kernels/normalisation_flags.h"
#include "layer_ops/normalisation_checks.h"
#include "layer_ops/normalisation_launch.h"
#include "layer_ops/normalisations.h"
#include "ops/arithmetic_rules.h"

namespace d2l {

using detail::CastRule;
using detail::fail;
using detail::TensorImpl;

namespace {

struct LayerNormState {
  std::int64_t row;  ///< the elements of a normalised row
};

/// The number of elements of a normalised row. ShapeError unless the input ends with this shape.
std::int64_t check_shapes(const TensorImpl& input, IntArrayRef shape, const TensorImpl* weight,
                          const TensorImpl* bias) {
  const auto given = [&] { return detail::operands({{"input", &input}, {"weight", weight}, {"bias", bias}}); };
  if (shape.empty()) {
    fail<ShapeError>("layer_norm",
                     "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, "
                     "but got normalized_shape = []",
                     given(), "give the last sizes of the input");
  }
  const auto check_parameter = [&](const TensorImpl* parameter, const char* name) {
    if (parameter == nullptr || parameter->sizes.ref() == shape) return;
    fail<ShapeError>("layer_norm",
                     fmt::format("Expected {} to be of same shape as normalized_shape, but got {} of shape {} and "
                                 "normalized_shape = {}",
                                 name, name, detail::text(parameter->sizes.ref()), detail::text(shape)),
                     given(), "it has an element for each element of a row");
  };
  check_parameter(weight, "weight");
  check_parameter(bias, "bias");
  const auto last = static_cast<int>(shape.size());
  bool fits = last <= input.sizes.count;
  std::int64_t n = 1;
  for (int i = 0; fits && i < last; ++i) {
    fits = input.sizes[input.sizes.count - last + i] == shape[static_cast<std::size_t>(i)];
    n *= shape[static_cast<std::size_t>(i)];
  }
  if (!fits) {
    std::string sizes;
    for (const auto size : shape) sizes += fmt::format(", {}", size);
    fail<ShapeError>("layer_norm",
                     fmt::format("Given normalized_shape={}, expected input with shape [*{}], but got input of size{}",
                                 detail::text(shape), sizes, detail::text(input.sizes.ref())),
                     given(), "normalise the last dimensions of the input");
  }
  return n;
}

}  // namespace

Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight, const Tensor& bias,
                  double eps) {
  if (detail::autocasts(CastRule::full_on_gpu, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& w, const Tensor& b) {
      return layer_norm(x, normalized_shape, w, b, eps);
    };
    return detail::with_casts(CastRule::full_on_gpu, converted, input, weight, bias);
  }
  const TensorImpl& impl = detail::impl_of(input, "layer_norm");
  const TensorImpl* const factor = detail::optional_impl(weight, "layer_norm");
  const TensorImpl* const shift = detail::optional_impl(bias, "layer_norm");
  const std::int64_t n = check_shapes(impl, normalized_shape, factor, shift);
  detail::check_floating(impl, "layer_norm", "LayerNormKernelImpl");
  detail::check_same_dtype("layer_norm", impl, {{"weight", factor}, {"bias", shift}});
  detail::check_same_device("layer_norm", impl, {{"weight", factor}, {"bias", shift}});

  const Tensor x = detail::row_major(input);
  const Tensor w = factor == nullptr ? Tensor() : detail::row_major(weight);
  const Tensor b = shift == nullptr ? Tensor() : detail::row_major(bias);
  auto arguments = detail::rows_of(impl, n);
  arguments.parameters[0].integer = (w.defined() ? backend::has_weight : 0) | (b.defined() ? backend::has_bias : 0);
  arguments.parameters[0].real = eps;
  auto result = detail::make_tensor(impl.sizes, impl.dtype, impl.device(), false, "layer_norm");
  const Tensor statistics =
      detail::make_tensor({{2, arguments.sizes[0]}, 2}, kDouble, impl.device(), false, "layer_norm");
  if (impl.numel > 0) {
    detail::launch_whole(detail::Operation::layer_norm, arguments,
                         {result.impl().get(), x.impl().get(), statistics.impl().get(), w.impl().get(), b.impl().get()},
                         impl.numel);
  }
  if (!detail::is_any_recorded({&input, &weight, &bias})) return result;
  auto record = detail::record_defined(detail::Recorded::NativeLayerNormBackward0, input, weight, bias);
  detail::save(*record, 0, input);
  if (weight.defined()) detail::save(*record, 1, weight);
  detail::save(*record, 2, statistics);
  record->state = LayerNormState{n};
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void NativeLayerNormBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor weight = saved_or_undefined(operation, 1);
  const bool of_parameters = operation.wants(1) || operation.wants(2);
  set_normalisation(operation,
                    layer_norm_gradients(g, {operation.saved(0), weight, operation.saved(2)},
                                         state_of<LayerNormState>(operation).row, operation.wants(0), of_parameters),
                    results);
}

}  // namespace d2l::detail::derivatives
