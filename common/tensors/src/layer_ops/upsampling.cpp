// SPDX-License-Identifier: MIT
// Other sizes of images, one dimension after the other: each element is one of the input, or lies between two.
#include <fmt/format.h>

#include <cmath>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/lines.h"

namespace d2l {

using detail::fail;
using detail::impl_of;
using detail::Recorded;
using detail::TensorImpl;

namespace {

/// The elements of one dimension: out[i] = (1 − weight[i]) × in[first[i]] + weight[i] × in[second[i]].
struct Resized {
  int dim = 0;
  std::int64_t size = 0;  ///< of the input
  Tensor first;
  Tensor second;  ///< undefined where each element is one of the input
  Tensor weight;  ///< in a shape that broadcasts
};
struct UpsampleState {
  std::vector<Resized> dims;
};

/// A way to find the elements.
struct Method {
  const char* name;
  Recorded derivative;
  bool linear;
  bool align_corners;
};

/// The distance in the input of two elements beside each other in the output.
double step_of(std::int64_t input, std::int64_t output, bool align_corners, std::optional<double> scale) {
  if (align_corners) return output > 1 ? static_cast<double>(input - 1) / static_cast<double>(output - 1) : 0;
  if (scale && *scale > 0) return 1 / *scale;
  return static_cast<double>(input) / static_cast<double>(output);
}

/// The coordinate of an element in the input. PyTorch computes it in float32 for all dtypes but float64.
template <class Real>
std::vector<double> coordinates(std::int64_t input, std::int64_t output, const Method& method,
                                std::optional<double> scale) {
  const auto step = static_cast<Real>(step_of(input, output, method.align_corners, scale));
  std::vector<double> result;
  for (std::int64_t i = 0; i < output; ++i) {
    const auto at = static_cast<Real>(i);
    if (!method.linear) {
      const auto nearest = input == output       ? i
                           : output == 2 * input ? i / 2
                                                 : static_cast<std::int64_t>(std::floor(at * step));
      result.push_back(static_cast<double>(std::min(nearest, input - 1)));
      continue;
    }
    const Real place = method.align_corners ? step * at : step * (at + Real(0.5)) - Real(0.5);
    result.push_back(static_cast<double>(std::max(place, Real(0))));
  }
  return result;
}

Resized resized(const Tensor& input, int dim, std::int64_t output, const Method& method, std::optional<double> scale) {
  const std::int64_t size = input.size(dim);
  // As PyTorch does, the nearest element is found in float32, and coordinates in the dtype of the input.
  const bool wide = method.linear && input.dtype() == kDouble;
  const auto places =
      wide ? coordinates<double>(size, output, method, scale) : coordinates<float>(size, output, method, scale);
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  std::vector<double> weights;
  for (const double place : places) {
    const auto low = std::min(static_cast<std::int64_t>(place), size - 1);
    first.push_back(low);
    second.push_back(std::min(low + 1, size - 1));
    weights.push_back(low + 1 < size ? place - static_cast<double>(low) : 0);
  }
  Resized all{dim, size, tensor(first).to(input.device()), {}, {}};
  if (!method.linear || size == output) return all;
  std::vector<std::int64_t> broadcast(static_cast<std::size_t>(input.dim()), 1);
  broadcast[static_cast<std::size_t>(dim)] = output;
  all.second = tensor(second).to(input.device());
  all.weight = tensor(weights, kDouble).to(input.device(), input.dtype()).view(broadcast);
  return all;
}

void check_upsampled(const TensorImpl& impl, IntArrayRef output, const Method& method) {
  const auto it = detail::operands({{"input", &impl}});
  const int spatial = static_cast<int>(output.size());
  if (impl.sizes.count != spatial + 2) {
    fail<ShapeError>(method.name,
                     fmt::format("Non-empty {}D data tensor expected but got a tensor with sizes {}", spatial + 2,
                                 detail::text(impl.sizes.ref())),
                     it, "the first two dimensions are images and channels");
  }
  bool positive = true;
  for (int i = 0; i < spatial; ++i) {
    positive = positive && impl.sizes[i + 2] > 0 && output[static_cast<std::size_t>(i)] > 0;
  }
  if (!positive) {
    fail<ShapeError>(method.name,
                     spatial == 1
                         ? fmt::format("Input and output sizes should be greater than 0, but got input (W: {}) and "
                                       "output (W: {})",
                                       impl.sizes[2], output[0])
                         : fmt::format("Input and output sizes should be greater than 0, but got input (H: {}, W: {}) "
                                       "output (H: {}, W: {})",
                                       impl.sizes[2], impl.sizes[3], output[0], output[1]),
                     it, "give sizes above 0");
  }
  if (method.linear || impl.dtype != kByte) detail::check_floating(impl, method.name, method.name);
}

Tensor resized_all(const Tensor& input, IntArrayRef output, const Method& method,
                   const std::vector<std::optional<double>>& scales) {
  if (detail::autocasts(detail::CastRule::full_on_gpu, input)) {
    const auto converted = [&](const Tensor& x) { return resized_all(x, output, method, scales); };
    return detail::with_casts(detail::CastRule::full_on_gpu, converted, input);
  }
  const TensorImpl& impl = impl_of(input, method.name);
  check_upsampled(impl, output, method);
  UpsampleState state;
  Tensor result = detail::unrecorded([&] {
    Tensor image = input.detach();
    for (std::size_t i = 0; i < output.size(); ++i) {
      const Resized way = resized(input, static_cast<int>(i) + 2, output[i], method, scales[i]);
      const auto at = [&](const Tensor& places) {
        return detail::take(image, {places, way.dim, true, detail::IndexUse::index});
      };
      const Tensor low = at(way.first);
      image = way.second.defined() ? low * (1 - way.weight) + at(way.second) * way.weight : low;
      state.dims.push_back(way);
    }
    return image;
  });
  if (!detail::is_recorded(input)) return result;
  auto record = detail::record(method.derivative, {&input});
  record->state = std::move(state);
  detail::attach(result, std::move(record));
  return result;
}

void check_count(IntArrayRef output, std::size_t count, const char* operation) {
  if (output.size() == count) return;
  fail<ShapeError>(operation,
                   fmt::format("It is expected output_size equals to {}, but got size {}", count, output.size()), {},
                   "give a size for each dimension of an image");
}

}  // namespace

Tensor upsample_nearest1d(const Tensor& input, IntArrayRef output_size, std::optional<double> scale) {
  check_count(output_size, 1, "upsample_nearest1d");
  return resized_all(input, output_size, {"upsample_nearest1d", Recorded::UpsampleNearest1DBackward0, false, false},
                     {scale});
}

Tensor upsample_nearest2d(const Tensor& input, IntArrayRef output_size, std::optional<double> scale_h,
                          std::optional<double> scale_w) {
  check_count(output_size, 2, "upsample_nearest2d");
  return resized_all(input, output_size, {"upsample_nearest2d", Recorded::UpsampleNearest2DBackward0, false, false},
                     {scale_h, scale_w});
}

Tensor upsample_linear1d(const Tensor& input, IntArrayRef output_size, bool align_corners,
                         std::optional<double> scale) {
  check_count(output_size, 1, "upsample_linear1d");
  return resized_all(input, output_size,
                     {"upsample_linear1d", Recorded::UpsampleLinear1DBackward0, true, align_corners}, {scale});
}

Tensor upsample_bilinear2d(const Tensor& input, IntArrayRef output_size, bool align_corners,
                           std::optional<double> scale_h, std::optional<double> scale_w) {
  check_count(output_size, 2, "upsample_bilinear2d");
  return resized_all(input, output_size,
                     {"upsample_bilinear2d", Recorded::UpsampleBilinear2DBackward0, true, align_corners},
                     {scale_h, scale_w});
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// Adds the gradient of each element to those of the elements that it was made of.
Tensor added_to_input(const RecordedOperation& operation, const Tensor& g) {
  Tensor grad = g;
  const auto& dims = state_of<UpsampleState>(operation).dims;
  for (auto way = dims.rbegin(); way != dims.rend(); ++way) {  // NOLINT(modernize-loop-convert): backwards
    auto sizes = grad.impl()->sizes;
    sizes[way->dim] = way->size;
    const auto added = [&](const Tensor& part, const Tensor& places) {
      return index_add(part, sizes, {places, way->dim, true, IndexUse::index});
    };
    grad = way->second.defined() ? added(grad * (1 - way->weight), way->first) + added(grad * way->weight, way->second)
                                 : added(grad, way->first);
  }
  return grad;
}

}  // namespace

D2L_DERIVATIVE(UpsampleNearest1DBackward0, added_to_input(operation, g))
D2L_DERIVATIVE(UpsampleNearest2DBackward0, added_to_input(operation, g))
D2L_DERIVATIVE(UpsampleLinear1DBackward0, added_to_input(operation, g))
D2L_DERIVATIVE(UpsampleBilinear2DBackward0, added_to_input(operation, g))

}  // namespace d2l::detail::derivatives
