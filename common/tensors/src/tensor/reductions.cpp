// SPDX-License-Identifier: MIT
// Reductions: sum, mean, max, min, argmax, norm, over all dimensions or some.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/gather_scatter.h"
#include "tensor/reduced_dimensions.h"

namespace d2l {

using detail::all_dimensions;
using detail::CastRule;
using detail::DimensionSet;
using detail::fail;
using detail::impl_of;
using detail::named_dimensions;
using detail::Operation;
using detail::Recorded;
using detail::recorded_reduction;
using detail::searched_dimension;
using detail::TensorImpl;

namespace {

Tensor sum_over(const Tensor& x, const DimensionSet& dims, bool keepdim, Recorded kind) {
  if (detail::autocasts(CastRule::full_on_gpu, x)) {
    return detail::with_casts(
        CastRule::full_on_gpu, [&](const Tensor& y) { return sum_over(y, dims, keepdim, kind); }, x);
  }
  const ScalarType type = x.impl()->dtype;
  auto result = detail::reduce(
      Operation::sum, x,
      {.dims = dims, .keepdim = keepdim, .result = isFloatingType(type) ? type : kLong, .of_nothing = 0});
  return recorded_reduction(std::move(result), kind, x, dims, keepdim);
}

Tensor mean_over(const Tensor& x, const DimensionSet& dims, bool keepdim, Recorded kind) {
  const ScalarType type = x.impl()->dtype;
  if (!isFloatingType(type)) {
    fail<TypeError>("mean",
                    fmt::format("mean(): could not infer output dtype. Input dtype must be either a floating point or "
                                "complex dtype. Got: {}",
                                toString(type)),
                    detail::operands({{"it", x.impl().get()}}), "convert it first, for example x.to(kFloat)");
  }
  auto result = detail::reduce(
      Operation::mean, x,
      {.dims = dims, .keepdim = keepdim, .result = type, .of_nothing = std::numeric_limits<double>::quiet_NaN()});
  return recorded_reduction(std::move(result), kind, x, dims, keepdim);
}

/// The norm of order `power`, by the kernel for it or by other reductions.
Tensor norm_value(const Tensor& x, double power, const detail::Reduction& over) {
  if (power == 2) return detail::reduce(Operation::norm, x, over);
  if (power == 0) return detail::reduce(Operation::sum, x.ne(0).to(over.result), over);
  const auto sizes = x.abs();
  if (power == 1) return detail::reduce(Operation::sum, sizes, over);
  if (std::isinf(power)) return detail::reduce(power > 0 ? Operation::max : Operation::min, sizes, over);
  return detail::reduce(Operation::sum, sizes.pow(power), over).pow(1 / power);
}

/// ShapeError for the norm of nothing, if it is the size of the largest or smallest element or has a negative order.
/// `named` are the dimensions as the caller named them.
void check_norm_of_nothing(const TensorImpl& x, const Scalar& p, IntArrayRef named) {
  const double power = p.toDouble();
  if (x.numel > 0 || !(power < 0 || power == std::numeric_limits<double>::infinity())) return;
  std::string nothing = "an empty tensor because the operation does";
  if (!named.empty()) {
    const auto* const empty = std::find_if(named.begin(), named.end(), [&x](std::int64_t dim) {
      return x.sizes[detail::wrap_dimension(dim, x.sizes.count, "norm")] == 0;
    });
    if (empty == named.end()) return;
    nothing = fmt::format("the dimension {}because this dimension is empty and the operation does", *empty);
  }
  const auto order = p.isFloatingPoint() ? fmt::format("{:g}", power) : fmt::format("{}", p.toLong());
  fail<ShapeError>(
      "norm", fmt::format("linalg.vector_norm cannot compute the {} norm on {} not have an identity", order, nothing),
      detail::operands({{"it", &x}}), "use a finite order of 0 or more");
}

Tensor norm_over(const Tensor& x, const Scalar& p, IntArrayRef named, bool keepdim) {
  const auto dims = named_dimensions(impl_of(x, "norm"), named, "norm");
  if (detail::autocasts(CastRule::full_on_gpu, x)) {
    return detail::with_casts(
        CastRule::full_on_gpu, [&](const Tensor& y) { return norm_over(y, p, named, keepdim); }, x);
  }
  const ScalarType type = x.impl()->dtype;
  if (!isFloatingType(type)) {
    fail<TypeError>(
        "norm",
        fmt::format("norm(): input dtype should be either floating point or complex. Got {} instead.", toString(type)),
        detail::operands({{"it", x.impl().get()}}), "convert it first, for example x.to(kFloat)");
  }
  check_norm_of_nothing(*x.impl(), p, named);
  const detail::Reduction over{.dims = dims, .keepdim = keepdim, .result = type, .of_nothing = 0};
  const Tensor value = detail::unrecorded([&] { return norm_value(x, p.toDouble(), over); });
  return recorded_reduction(value, Recorded::NormBackward1, x, dims, keepdim, {&x, &value}, p);
}

Tensor extreme(Operation operation, const Tensor& x) {
  const TensorImpl& impl = impl_of(x, info(operation).name);
  if (impl.numel == 0) {
    fail<ShapeError>(info(operation).name,
                     fmt::format("{}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                                 "reduction dim with the 'dim' argument.",
                                 info(operation).name),
                     detail::operands({{"input", &impl}}));
  }
  const Tensor value = detail::reduce(operation, x, {.dims = all_dimensions(impl), .result = impl.dtype});
  const auto kind = operation == Operation::max ? Recorded::MaxBackward1 : Recorded::MinBackward1;
  return recorded_reduction(value, kind, x, all_dimensions(impl), false, {&x, &value});
}

std::tuple<Tensor, Tensor> extreme(Operation operation, const Tensor& x, std::int64_t dim, bool keepdim) {
  const TensorImpl& impl = impl_of(x, info(operation).name);
  const auto dims = searched_dimension(impl, dim, info(operation).name);
  Tensor indices;
  auto values =
      detail::reduce(operation, x, {.dims = dims, .keepdim = keepdim, .result = impl.dtype, .indices = &indices});
  const auto kind = operation == Operation::max ? Recorded::MaxBackward0 : Recorded::MinBackward0;
  return {recorded_reduction(std::move(values), kind, x, dims, keepdim, {&indices}), indices};
}

}  // namespace

Tensor Tensor::sum() const {
  return sum_over(*this, all_dimensions(impl_of(*this, "sum")), false, Recorded::SumBackward0);
}
Tensor Tensor::sum(IntArrayRef dims, bool keepdim) const {
  return sum_over(*this, named_dimensions(impl_of(*this, "sum"), dims, "sum"), keepdim, Recorded::SumBackward1);
}

Tensor Tensor::mean() const {
  return mean_over(*this, all_dimensions(impl_of(*this, "mean")), false, Recorded::MeanBackward0);
}
Tensor Tensor::mean(IntArrayRef dims, bool keepdim) const {
  return mean_over(*this, named_dimensions(impl_of(*this, "mean"), dims, "mean"), keepdim, Recorded::MeanBackward1);
}

Tensor Tensor::max() const { return extreme(Operation::max, *this); }
std::tuple<Tensor, Tensor> Tensor::max(std::int64_t dim, bool keepdim) const {
  return extreme(Operation::max, *this, dim, keepdim);
}

Tensor Tensor::min() const { return extreme(Operation::min, *this); }
std::tuple<Tensor, Tensor> Tensor::min(std::int64_t dim, bool keepdim) const {
  return extreme(Operation::min, *this, dim, keepdim);
}

Tensor Tensor::argmax(std::optional<std::int64_t> dim, bool keepdim) const {
  const TensorImpl& impl = impl_of(*this, "argmax");
  if (impl.dtype == kBool) {
    fail<TypeError>("argmax", "\"argmax_cpu\" not implemented for 'Bool'", {},
                    "convert it first, for example to kByte");
  }
  if (!dim && impl.numel == 0) {
    fail<IndexError>("argmax", "argmax(): Expected reduction dim to be specified for input.numel() == 0.",
                     detail::operands({{"input", &impl}}));
  }
  const auto dims = dim ? searched_dimension(impl, *dim, "argmax") : all_dimensions(impl);
  return detail::reduce(Operation::argmax, *this, {.dims = dims, .keepdim = keepdim, .result = kLong});
}

Tensor Tensor::norm(Scalar p) const { return norm_over(*this, p, {}, false); }
Tensor Tensor::norm(std::optional<Scalar> p, IntArrayRef dims, bool keepdim) const {
  return norm_over(*this, p.value_or(2), dims, keepdim);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

Tensor over_input(const RecordedOperation& operation, const Tensor& g) {
  return with_reduced_dimensions(operation, g).expand(operation.inputs[0].sizes.ref());
}

/// The gradient of the largest or smallest of all elements, divided among the elements that equal it.
Tensor extreme_of_all(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const Tensor& r = operation.saved(1);
  const Tensor is_extreme = x.eq(r).to(g.dtype()) + x.ne(x).to(g.dtype()) * r.ne(r).to(g.dtype());
  return is_extreme * (g / is_extreme.sum());
}

/// The gradient of the largest or smallest along a dimension, at that element.
Tensor extreme_along(const RecordedOperation& operation, const Tensor& g) {
  const auto& sizes = operation.inputs[0].sizes;
  if (sizes.count == 0) return g;
  return scatter(g, operation.saved(0), sizes, static_cast<int>(state_of<Reduced>(operation).dims[0]),
                 no_ignored_index);
}

}  // namespace

D2L_DERIVATIVE(SumBackward0, over_input(operation, g))
D2L_DERIVATIVE(SumBackward1, over_input(operation, g))
D2L_DERIVATIVE(MeanBackward0, over_input(operation, g / reduced_count(operation)))
D2L_DERIVATIVE(MeanBackward1, over_input(operation, g / reduced_count(operation)))
D2L_DERIVATIVE(MaxBackward0, extreme_along(operation, g))
D2L_DERIVATIVE(MinBackward0, extreme_along(operation, g))
D2L_DERIVATIVE(MaxBackward1, extreme_of_all(operation, g))
D2L_DERIVATIVE(MinBackward1, extreme_of_all(operation, g))

void NormBackward1(const RecordedOperation& operation, const Tensor& grad, Gradients& results) {
  const Tensor& x = operation.saved(0);
  const Tensor r = with_reduced_dimensions(operation, operation.saved(1));
  const Tensor g = with_reduced_dimensions(operation, grad);
  const double p = state_of<Reduced>(operation).number.toDouble();
  if (p == 0) return;  // a count has no gradient
  if (p == 1) {
    results[0] = g * x.sign();
  } else if (p == 2) {
    results[0] = x * divided_or_zero(g, r);
  } else if (std::isinf(p)) {
    const Tensor is_extreme = x.abs().eq(r).to(x.dtype());
    const Dimensions& dims = state_of<Reduced>(operation).dims;
    const Tensor count = dims.count == 0 ? is_extreme : is_extreme.sum(dims.ref(), true);
    results[0] = x.sign() * is_extreme * (g / count);
  } else if (p < 2) {
    // |x|^(p - 1) is undefined at 0 when p < 1; the gradient there is 0.
    const Tensor size = x.abs();
    const Tensor slope = divided_or_zero(size.pow(p), size);
    results[0] = x.sign() * slope * divided_or_zero(g, r.pow(p - 1));
  } else {
    results[0] = x * x.abs().pow(p - 2) * divided_or_zero(g, r.pow(p - 1));
  }
}

}  // namespace d2l::detail::derivatives
