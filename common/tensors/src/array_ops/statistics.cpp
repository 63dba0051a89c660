// SPDX-License-Identifier: MIT
// Reductions beyond sums and extremes: var, std, prod, all, any, argmin, logsumexp; and cumsum.
#include <fmt/format.h>

#include <limits>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/lines.h"
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
using detail::TensorImpl;

namespace {

struct CumsumState {
  int dim;
};

/// var or std.
Tensor spread(Operation operation, const Tensor& x, IntArrayRef dims, const std::optional<Scalar>& correction,
              bool keepdim) {
  const char* const name = info(operation).name;
  const TensorImpl& impl = impl_of(x, name);
  if (!isFloatingType(impl.dtype)) {
    fail<TypeError>(name, "std and var only support floating point and complex dtypes",
                    detail::operands({{"it", &impl}}), "convert it first, for example x.to(kFloat)");
  }
  const auto set = named_dimensions(impl, dims, name);
  const Scalar subtracted = correction.value_or(1);
  auto result = detail::reduce(operation, x,
                               {.dims = set,
                                .keepdim = keepdim,
                                .result = impl.dtype,
                                .of_nothing = std::numeric_limits<double>::quiet_NaN(),
                                .correction = subtracted.toDouble()});
  const bool named = !dims.empty() && impl.sizes.count > 0;
  if (operation == Operation::var) {
    return recorded_reduction(std::move(result), Recorded::VarBackward0, x, set, keepdim, {&x}, subtracted, named);
  }
  const Tensor value = result;
  return recorded_reduction(std::move(result), Recorded::StdBackward0, x, set, keepdim, {&x, &value}, subtracted,
                            named);
}

Tensor product_over(const Tensor& x, const DimensionSet& dims, bool keepdim, Recorded kind) {
  if (detail::autocasts(CastRule::full, x)) {
    return detail::with_casts(
        CastRule::full, [&](const Tensor& y) { return product_over(y, dims, keepdim, kind); }, x);
  }
  const ScalarType type = x.impl()->dtype;
  auto result = detail::reduce(
      Operation::prod, x,
      {.dims = dims, .keepdim = keepdim, .result = isFloatingType(type) ? type : kLong, .of_nothing = 1});
  return recorded_reduction(std::move(result), kind, x, dims, keepdim, {&x});
}

/// all or any, by the smallest or largest truth; of uint8, as in PyTorch, a uint8 result.
Tensor truth(Operation extreme, const Tensor& x, IntArrayRef dims, bool keepdim, const char* name) {
  const TensorImpl& impl = impl_of(x, name);
  const auto set = named_dimensions(impl, dims, name);
  const bool of_nothing = extreme == Operation::min;
  const Tensor truths = impl.dtype == kBool ? x : x.ne(0);
  const Tensor result =
      detail::reduce(extreme, truths, {.dims = set, .keepdim = keepdim, .result = kBool, .of_nothing = of_nothing});
  return impl.dtype == kByte ? detail::converted(result, kByte) : result;
}

}  // namespace

Tensor TensorMembers::var(IntArrayRef dims, std::optional<Scalar> correction, bool keepdim) const {
  return spread(Operation::var, self(), dims, correction, keepdim);
}
Tensor TensorMembers::std(IntArrayRef dims, std::optional<Scalar> correction, bool keepdim) const {
  return spread(Operation::std, self(), dims, correction, keepdim);
}

Tensor TensorMembers::prod() const {
  return product_over(self(), all_dimensions(impl_of(self(), "prod")), false, Recorded::ProdBackward0);
}
Tensor TensorMembers::prod(std::int64_t dim, bool keepdim) const {
  return product_over(self(), named_dimensions(impl_of(self(), "prod"), dim, "prod"), keepdim, Recorded::ProdBackward1);
}

Tensor TensorMembers::all(IntArrayRef dims, bool keepdim) const {
  return truth(Operation::min, self(), dims, keepdim, "all");
}
Tensor TensorMembers::any(IntArrayRef dims, bool keepdim) const {
  return truth(Operation::max, self(), dims, keepdim, "any");
}

Tensor TensorMembers::argmin(std::optional<std::int64_t> dim, bool keepdim) const {
  const TensorImpl& impl = impl_of(self(), "argmin");
  if (impl.dtype == kBool) {
    fail<TypeError>("argmin", "argmin(): does not support bool input", detail::operands({{"input", &impl}}),
                    "convert it first, for example to kByte");
  }
  if (!dim && impl.numel == 0) {
    fail<IndexError>("argmin", "argmin(): Expected reduction dim to be specified for input.numel() == 0.",
                     detail::operands({{"input", &impl}}));
  }
  const auto dims = dim ? detail::searched_dimension(impl, *dim, "argmin") : all_dimensions(impl);
  return detail::reduce(Operation::argmin, self(), {.dims = dims, .keepdim = keepdim, .result = kLong});
}

Tensor TensorMembers::logsumexp(IntArrayRef dims, bool keepdim) const {
  if (detail::autocasts(CastRule::full_on_gpu, self())) {
    return detail::with_casts(
        CastRule::full_on_gpu, [&](const Tensor& x) { return x.logsumexp(dims, keepdim); }, self());
  }
  const TensorImpl& impl = impl_of(self(), "logsumexp");
  const auto set = named_dimensions(impl, dims, "logsumexp");
  const ScalarType type = isFloatingType(impl.dtype) ? impl.dtype : kFloat;
  const Tensor result = detail::reduce(
      Operation::logsumexp, detail::converted(self(), type),
      {.dims = set, .keepdim = keepdim, .result = type, .of_nothing = -std::numeric_limits<double>::infinity()});
  return recorded_reduction(result, Recorded::LogsumexpBackward0, self(), set, keepdim, {&self(), &result});
}

Tensor TensorMembers::cumsum(std::int64_t dim) const {
  if (detail::autocasts(CastRule::full_on_gpu, self())) {
    return detail::with_casts(
        CastRule::full_on_gpu, [&](const Tensor& x) { return x.cumsum(dim); }, self());
  }
  const TensorImpl& impl = impl_of(self(), "cumsum");
  const int at = detail::wrap_dimension(dim, impl.sizes.count, "cumsum");
  auto result = detail::sums_along(self(), at);
  if (!detail::is_recorded(self())) return result;
  auto record = detail::record(Recorded::CumsumBackward0, {&self()});
  record->state = CumsumState{at};
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// The gradient of the variance: 2 (x − mean) / (count − correction). As in PyTorch, the divisor may be negative if
/// dimensions are named, and else the gradient of no freedom is infinite.
Tensor of_variance(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const auto& how = state_of<Reduced>(operation);
  const double freedom = static_cast<double>(reduced_count(operation)) - how.number.toDouble();
  const bool of_all = !how.named;
  const auto& dims = how.dims;
  const Tensor mean = dims.count == 0 ? x.mean() : x.mean(dims.ref(), true);
  const Tensor grad = with_reduced_dimensions(operation, g);
  if (of_all && freedom <= 0) {
    return grad * where(x.eq(mean), full_like(x, std::numeric_limits<double>::quiet_NaN()),
                        std::numeric_limits<double>::infinity());
  }
  return grad * (2 / freedom) * (x - mean);
}

/// The gradient of a product: the product of the other elements. Zeros are left out of the product and counted, so that
/// no element is divided by 0; so are infinities and NaN, whose product with a 0 is NaN.
Tensor of_product(const RecordedOperation& operation, const Tensor& g) {
  const Tensor& x = operation.saved(0);
  const Tensor zeros = x.eq(0).to(x.dtype());
  const Tensor infinities = (x - x).ne(0).to(x.dtype());
  const Tensor factors = x + zeros;
  const auto& dims = state_of<Reduced>(operation).dims;
  const bool one_dimension = operation.kind == Recorded::ProdBackward1 && dims.count == 1;
  const auto sum = [&](const Tensor& all) { return one_dimension ? all.sum(dims.ref(), true) : all.sum(); };
  const Tensor product = one_dimension ? factors.prod(dims[0], true) : factors.prod();
  const Tensor count = sum(zeros);
  const Tensor other_infinities = sum(infinities) - infinities;
  Tensor undefined = other_infinities.gt(0);
  if (!one_dimension) undefined = undefined.logical_and(count.le(1));  // of two zeros, PyTorch looks at no element
  const Tensor of_zeros = where(undefined, full_like(x, std::numeric_limits<double>::quiet_NaN()), 0);
  return with_reduced_dimensions(operation, g) * where(count.gt(zeros), of_zeros, product / factors);
}

}  // namespace

D2L_DERIVATIVE(VarBackward0, of_variance(operation, g))
D2L_DERIVATIVE(StdBackward0, of_variance(operation, divided_or_zero(g, operation.saved(1) * 2)))
D2L_DERIVATIVE(ProdBackward0, of_product(operation, g))
D2L_DERIVATIVE(ProdBackward1, of_product(operation, g))

D2L_DERIVATIVE(LogsumexpBackward0,
               with_reduced_dimensions(operation, g) *
                   (operation.saved(0) - with_reduced_dimensions(operation, operation.saved(1))).exp())

void CumsumBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const int dim = state_of<CumsumState>(operation).dim;
  results[0] = g.flip(dim).cumsum(dim).flip(dim);
}

}  // namespace d2l::detail::derivatives
