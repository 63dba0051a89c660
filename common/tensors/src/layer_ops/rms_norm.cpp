// SPDX-License-Identifier: MIT
// rms_norm: the mean square and the quotient are operations of their own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "autocast/casts.h"
#include "core/messages.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"

namespace d2l {

using detail::CastRule;
using detail::fail;
using detail::impl_of;
using detail::TensorImpl;

namespace {

constexpr const char* rms_norm_name = "rms_norm";

bool ends_with(IntArrayRef sizes, IntArrayRef end) {
  return end.size() <= sizes.size() && std::equal(end.begin(), end.end(), sizes.end() - end.size());
}

void check_rows(const TensorImpl& input, IntArrayRef shape, const Tensor& weight) {
  const auto it = detail::operands({{"input", &input}});
  if (shape.empty()) {
    fail<ShapeError>(
        rms_norm_name,
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but "
        "got normalized_shape = []",
        it, "name the last sizes of the input");
  }
  if (weight.defined() && !(weight.sizes() == shape)) {
    fail<ShapeError>(rms_norm_name,
                     fmt::format("Expected weight to be of same shape as normalized_shape, but got weight of shape {} "
                                 "and normalized_shape = {}",
                                 detail::text(weight.sizes()), detail::text(shape)),
                     detail::operands({{"input", &input}, {"weight", weight.impl().get()}}),
                     "give a weight for each element of a row");
  }
  if (!ends_with(input.sizes.ref(), shape)) {
    fail<ShapeError>(rms_norm_name,
                     fmt::format("Given normalized_shape={}, expected input with shape [*{}], but got input of size{}",
                                 detail::text(shape), fmt::join(shape, ", "), detail::text(input.sizes.ref())),
                     it, "the last sizes of the input are those of normalized_shape");
  }
}

}  // namespace

Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, const Tensor& weight, std::optional<double> eps) {
  if (detail::autocasts(CastRule::full_on_gpu, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& w) { return rms_norm(x, normalized_shape, w, eps); };
    return detail::with_casts(CastRule::full_on_gpu, converted, input, weight);
  }
  const TensorImpl& impl = impl_of(input, rms_norm_name);
  check_rows(impl, normalized_shape, weight);
  detail::check_floating(impl, rms_norm_name, "rms_norm");
  if (isReducedFloatingType(impl.dtype)) {  // in float32, and rounded once
    const Tensor wide = weight.defined() ? weight.to(kFloat) : weight;
    return rms_norm(input.to(kFloat), normalized_shape, wide, eps).to(impl.dtype);
  }
  const double own =
      impl.dtype == kDouble ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < normalized_shape.size(); ++i) dims.push_back(-1 - static_cast<std::int64_t>(i));
  const Tensor scaled = input * input.square().mean(dims, true).add(eps.value_or(own)).rsqrt();
  return weight.defined() ? scaled * weight : scaled;
}

}  // namespace d2l
