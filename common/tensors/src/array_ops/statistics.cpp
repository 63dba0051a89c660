// SPDX-License-Identifier: MIT
// Reductions beyond sums and extremes: var, std, prod, all, any, argmin, logsumexp; and cumsum.
#include <fmt/format.h>

#include <limits>

#include "autograd/recording.h"
#include "ops/lines.h"
#include "tensor/reduced_dimensions.h"

namespace d2l {

using detail::all_dimensions;
using detail::DimensionSet;
using detail::fail;
using detail::impl_of;
using detail::named_dimensions;
using detail::Operation;
using detail::Recorded;
using detail::recorded_reduction;
using detail::TensorImpl;

namespace {

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
  const TensorImpl& impl = impl_of(self(), "logsumexp");
  const auto set = named_dimensions(impl, dims, "logsumexp");
  const ScalarType type = isFloatingType(impl.dtype) ? impl.dtype : kFloat;
  const Tensor result = detail::reduce(
      Operation::logsumexp, detail::converted(self(), type),
      {.dims = set, .keepdim = keepdim, .result = type, .of_nothing = -std::numeric_limits<double>::infinity()});
  return recorded_reduction(result, Recorded::LogsumexpBackward0, self(), set, keepdim, {&self(), &result});
}

Tensor TensorMembers::cumsum(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(self(), "cumsum");
  const int at = detail::wrap_dimension(dim, impl.sizes.count, "cumsum");
  auto result = detail::sums_along(self(), at);
  if (!detail::is_recorded(self())) return result;
  auto record = detail::record(Recorded::CumsumBackward0, {&self()});
  record->integers[0] = at;
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l
