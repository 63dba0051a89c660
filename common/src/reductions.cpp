// SPDX-License-Identifier: MIT
// Reductions: sum, mean, max, min, argmax, norm, over all dimensions or some.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dispatch.h"
#include "reduction.h"

namespace d2l {

using detail::DimensionSet;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::TensorImpl;

namespace {

DimensionSet all_of(const TensorImpl& impl) {
  DimensionSet set;
  for (int i = 0; i < impl.sizes.count; ++i) set.set(static_cast<std::size_t>(i));
  return set;
}

/// The dimensions named; all when none is.
DimensionSet named(const TensorImpl& impl, IntArrayRef dims, const char* operation) {
  if (dims.empty()) return all_of(impl);
  std::array<bool, max_dimensions> seen{};
  DimensionSet set;
  for (const auto dim : dims) {
    const auto at = static_cast<std::size_t>(detail::wrap_dimension(dim, impl.sizes.count, operation));
    if (seen[at]) {
      fail<ShapeError>(operation, fmt::format("dim {} appears multiple times in the list of dims", at), {},
                       "name each dimension once");
    }
    seen[at] = true;
    if (impl.sizes.count > 0) set.set(at);
  }
  return set;
}

Tensor sum_over(const Tensor& x, const DimensionSet& dims, bool keepdim) {
  const ScalarType type = x.impl()->dtype;
  return detail::reduce(
      Operation::sum, x,
      {.dims = dims, .keepdim = keepdim, .result = isFloatingType(type) ? type : kLong, .of_nothing = 0});
}

Tensor mean_over(const Tensor& x, const DimensionSet& dims, bool keepdim) {
  const ScalarType type = x.impl()->dtype;
  if (!isFloatingType(type)) {
    fail<TypeError>("mean",
                    fmt::format("mean(): could not infer output dtype. Input dtype must be either a floating point or "
                                "complex dtype. Got: {}",
                                toString(type)),
                    detail::operands({{"it", x.impl().get()}}), "convert it first, for example x.to(kFloat)");
  }
  return detail::reduce(
      Operation::mean, x,
      {.dims = dims, .keepdim = keepdim, .result = type, .of_nothing = std::numeric_limits<double>::quiet_NaN()});
}

Tensor norm_over(const Tensor& x, const Scalar& p, const DimensionSet& dims, bool keepdim) {
  const ScalarType type = x.impl()->dtype;
  if (!isFloatingType(type)) {
    fail<TypeError>(
        "norm",
        fmt::format("norm(): input dtype should be either floating point or complex. Got {} instead.", toString(type)),
        detail::operands({{"it", x.impl().get()}}), "convert it first, for example x.to(kFloat)");
  }
  const detail::Reduction over{.dims = dims, .keepdim = keepdim, .result = type, .of_nothing = 0};
  const double power = p.toDouble();
  if (power == 2) return detail::reduce(Operation::norm, x, over);
  if (power == 0) return detail::reduce(Operation::sum, x.ne(0).to(type), over);
  const auto sizes = x.abs();
  if (power == 1) return detail::reduce(Operation::sum, sizes, over);
  if (std::isinf(power)) return detail::reduce(power > 0 ? Operation::max : Operation::min, sizes, over);
  return detail::reduce(Operation::sum, sizes.pow(power), over).pow(1 / power);
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
  return detail::reduce(operation, x, {.dims = all_of(impl), .result = impl.dtype});
}

/// The dimension to look along; IndexError when it has no elements to choose from.
DimensionSet searched(const TensorImpl& impl, std::int64_t dim, const char* operation) {
  const int at = detail::wrap_dimension(dim, impl.sizes.count, operation);
  DimensionSet set;
  if (impl.sizes.count == 0) return set;
  if (impl.sizes[at] == 0) {
    fail<IndexError>(operation, fmt::format("{}(): Expected reduction dim {} to have non-zero size.", operation, at),
                     detail::operands({{"input", &impl}}));
  }
  set.set(static_cast<std::size_t>(at));
  return set;
}

std::tuple<Tensor, Tensor> extreme(Operation operation, const Tensor& x, std::int64_t dim, bool keepdim) {
  const TensorImpl& impl = impl_of(x, info(operation).name);
  const auto dims = searched(impl, dim, info(operation).name);
  Tensor indices;
  auto values =
      detail::reduce(operation, x, {.dims = dims, .keepdim = keepdim, .result = impl.dtype, .indices = &indices});
  return {values, indices};
}

}  // namespace

Tensor Tensor::sum() const { return sum_over(*this, all_of(impl_of(*this, "sum")), false); }
Tensor Tensor::sum(IntArrayRef dims, bool keepdim) const {
  return sum_over(*this, named(impl_of(*this, "sum"), dims, "sum"), keepdim);
}

Tensor Tensor::mean() const { return mean_over(*this, all_of(impl_of(*this, "mean")), false); }
Tensor Tensor::mean(IntArrayRef dims, bool keepdim) const {
  return mean_over(*this, named(impl_of(*this, "mean"), dims, "mean"), keepdim);
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
  const auto dims = dim ? searched(impl, *dim, "argmax") : all_of(impl);
  return detail::reduce(Operation::argmax, *this, {.dims = dims, .keepdim = keepdim, .result = kLong});
}

Tensor Tensor::norm(Scalar p) const { return norm_over(*this, p, all_of(impl_of(*this, "norm")), false); }
Tensor Tensor::norm(std::optional<Scalar> p, IntArrayRef dims, bool keepdim) const {
  return norm_over(*this, p.value_or(2), named(impl_of(*this, "norm"), dims, "norm"), keepdim);
}

}  // namespace d2l
