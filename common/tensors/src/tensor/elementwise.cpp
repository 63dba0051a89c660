// SPDX-License-Identifier: MIT
// Elementwise operations, which make a new tensor or write into their first operand: arithmetic, comparisons,
// functions.
#include <fmt/format.h>

#include "autocast/casts.h"
#include "autograd/record_elementwise.h"
#include "d2l/ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"
#include "ops/promotion.h"
#include "tensor/in_place.h"
#include "values/number_range.h"

namespace d2l {

using detail::Argument;
using detail::check_written_device;
using detail::check_written_shape;
using detail::check_written_type;
using detail::elementwise;
using detail::impl_of;
using detail::Operation;
using detail::recorded;
using detail::TensorImpl;
using detail::writable;

namespace {

const char* name_of(Operation operation) { return info(operation).name; }

ScalarType common_type(const Tensor& a, const Tensor& b) {
  return a.impl()->dtype == b.impl()->dtype ? a.impl()->dtype : detail::result_type(a, b);
}

/// Whether PyTorch computes it in float32 under autocast on a GPU.
bool needs_range(Operation operation) {
  switch (operation) {
    case Operation::exp:
    case Operation::expm1:
    case Operation::log:
    case Operation::log1p:
    case Operation::pow:
    case Operation::reciprocal:
    case Operation::rsqrt:
      return true;
    default:
      return false;
  }
}

constexpr auto with_range = detail::CastRule::full_on_gpu;
bool autocasts(Operation operation, const Tensor& x) {
  return detail::autocasts(with_range, x) && needs_range(operation);
}

Tensor compute(Operation operation, const Tensor& a, const Tensor& b) {
  if (autocasts(operation, a)) {
    const auto converted = [&](const Tensor& x, const Tensor& y) { return compute(operation, x, y); };
    return detail::with_casts(with_range, converted, a, b);
  }
  const Argument x(a, name_of(operation));
  const Argument y(b, name_of(operation));
  const auto type = detail::computation_type(operation, common_type(a, b));
  if (detail::divides(operation)) {
    detail::check_operands(operation, *x.tensor, *y.tensor);
    detail::check_divisor(type, *x.tensor, *y.tensor, name_of(operation));
  }
  return recorded(elementwise(operation, x, y, type, detail::output_type(operation, type)), operation, a, b);
}

Tensor compute(Operation operation, const Tensor& a, const Scalar& b) {
  if (autocasts(operation, a)) {
    return detail::with_casts(
        with_range, [&](const Tensor& x) { return compute(operation, x, b); }, a);
  }
  const Argument x(a, name_of(operation));
  const auto type = detail::computation_type(operation, detail::result_type(a, b));
  if (detail::divides(operation)) detail::check_divisor(type, *x.tensor, b, name_of(operation));
  return recorded(elementwise(operation, x, b, type, detail::output_type(operation, type)), operation, a, b);
}

Tensor compute(Operation operation, const Scalar& a, const Tensor& b) {
  if (autocasts(operation, b)) {
    return detail::with_casts(
        with_range, [&](const Tensor& y) { return compute(operation, a, y); }, b);
  }
  const Argument y(b, name_of(operation));
  const auto type = detail::computation_type(operation, detail::result_type(b, a));
  if (detail::divides(operation)) detail::check_divisor(type, *y.tensor, *y.tensor, name_of(operation));
  return recorded(elementwise(operation, a, y, type, detail::output_type(operation, type)), operation, a, b);
}

Tensor compute(Operation operation, const Tensor& x) {
  if (autocasts(operation, x)) {
    return detail::with_casts(
        with_range, [&](const Tensor& y) { return compute(operation, y); }, x);
  }
  const Argument a(x, name_of(operation));
  const auto type = detail::computation_type(operation, a.tensor->dtype);
  if (!contains(info(operation).types, type)) return x.clone();  // of whole numbers
  return recorded(elementwise(operation, a, type), operation, x);
}

/// a ± alpha × b.
template <class Other>
Tensor add_scaled(Operation operation, const Tensor& a, const Other& b, const Scalar& alpha) {
  if constexpr (std::is_same_v<Other, Tensor>) {
    const Argument x(a, name_of(operation));
    const Argument y(b, name_of(operation));
    detail::check_subtraction(operation, x.tensor->dtype, y.tensor->dtype);
    const auto type = common_type(a, b);
    detail::check_alpha(operation, type, alpha);
    if (detail::is_one(alpha)) return compute(operation, a, b);
    detail::check_operands(operation, *x.tensor, *y.tensor);
    return recorded(detail::sum_scaled(operation, *x.tensor, *y.tensor, alpha, type), operation, a, b, alpha);
  } else {
    const Argument x(a, name_of(operation));
    detail::check_subtraction(operation, x.tensor->dtype, b.type());
    const auto type = detail::result_type(a, b);
    detail::check_alpha(operation, type, alpha);
    if (detail::is_one(alpha)) return compute(operation, a, b);
    return compute(operation, a, detail::product(b, alpha, type));
  }
}

// In place.

/// The record of a write to `a`; null if nothing is to be recorded.
template <class... Others>
detail::Record begin(Operation operation, const Tensor& a, const Others&... others) {
  auto begun = detail::begin_record(operation, a, others...);
  if (begun != nullptr) keep_overwritten(*begun, a);
  return begun;
}

/// After a write to `a` by an operation whose derivative may need the result.
void finish(Operation operation, const Tensor& a, detail::Record begun) {
  detail::count_write(a);
  if (begun == nullptr) return;
  save_result(operation, *begun, a);
  attach_in_place(a, std::move(begun));
}

Tensor& write(Operation operation, Tensor& a, const Tensor& b) {
  impl_of(a, name_of(operation));
  const auto& other = impl_of(b, name_of(operation));
  const auto& out = writable(a, name_of(operation));
  Tensor kept;
  const Tensor& input = detail::safe_to_read(b, out, name_of(operation), kept);
  check_written_shape(name_of(operation), out, {&other});
  check_written_device(name_of(operation), out, other);
  const auto type = detail::computation_type(operation, common_type(a, b));
  check_written_type(name_of(operation), out, type);
  if (detail::divides(operation)) detail::check_divisor(type, out, other, name_of(operation));
  auto begun = begin(operation, a, b);
  elementwise_into(operation, out, out, *input.impl(), type);
  finish(operation, a, std::move(begun));
  return a;
}

/// a = f(a) or f(a, b), computed in `type`; `b` is a number.
template <class... Numbers>
Tensor& overwrite(Operation operation, Tensor& a, ScalarType type, const Numbers&... b) {
  const TensorImpl& out = *a.impl();
  check_written_type(name_of(operation), out, type);
  auto begun = begin(operation, a, b...);
  elementwise_into(operation, out, out, b..., type);
  finish(operation, a, std::move(begun));
  return a;
}

Tensor& write(Operation operation, Tensor& a, const Scalar& b) {
  writable(a, name_of(operation));
  const auto type = detail::computation_type(operation, detail::result_type(a, b));
  if (detail::divides(operation)) detail::check_divisor(type, *a.impl(), b, name_of(operation));
  return overwrite(operation, a, type, b);
}

Tensor& write(Operation operation, Tensor& a) {
  const auto type = detail::computation_type(operation, writable(a, name_of(operation)).dtype);
  if (!contains(info(operation).types, type)) {  // a whole number stays
    detail::count_write(a);
    return a;
  }
  return overwrite(operation, a, type);
}

void fill_all(const Tensor& a, const Scalar& value, detail::Recorded kind, const char* operation) {
  detail::check_in_place(a, operation);
  auto begun = detail::is_recorded(a) ? detail::record(kind, {&a}) : nullptr;
  detail::fill(*a.impl(), value);
  finish(Operation::fill, a, std::move(begun));
}

/// a = a ± alpha × b.
Tensor& write_scaled(Operation operation, Tensor& a, const Tensor& b, const Scalar& alpha) {
  const auto& out = impl_of(a, name_of(operation));
  const auto& other = impl_of(b, name_of(operation));
  detail::check_subtraction(operation, out.dtype, other.dtype);
  const auto type = common_type(a, b);
  detail::check_alpha(operation, type, alpha);
  if (detail::is_one(alpha)) return write(operation, a, b);
  writable(a, name_of(operation));
  Tensor kept;
  const Tensor& input = detail::safe_to_read(b, out, name_of(operation), kept);
  check_written_shape(name_of(operation), out, {&other});
  check_written_device(name_of(operation), out, other);
  check_written_type(name_of(operation), out, type);
  auto begun = begin(operation, a, b, alpha);
  detail::add_scaled_into(operation, out, *input.impl(), alpha, type);
  finish(operation, a, std::move(begun));
  return a;
}

Tensor& write_scaled(Operation operation, Tensor& a, const Scalar& b, const Scalar& alpha) {
  const auto& out = impl_of(a, name_of(operation));
  detail::check_subtraction(operation, out.dtype, b.type());
  const auto type = detail::result_type(a, b);
  detail::check_alpha(operation, type, alpha);
  if (detail::is_one(alpha)) return write(operation, a, b);
  return write(operation, a, detail::product(b, alpha, type));
}

}  // namespace

Tensor Tensor::add(const Tensor& other, Scalar alpha) const { return add_scaled(Operation::add, *this, other, alpha); }
Tensor Tensor::add(Scalar other, Scalar alpha) const { return add_scaled(Operation::add, *this, other, alpha); }
Tensor Tensor::sub(const Tensor& other, Scalar alpha) const { return add_scaled(Operation::sub, *this, other, alpha); }
Tensor Tensor::sub(Scalar other, Scalar alpha) const { return add_scaled(Operation::sub, *this, other, alpha); }

#define D2L_BINARY(name, ...)                                                                       \
  Tensor Tensor::name(const Tensor& other) const { return compute(Operation::name, *this, other); } \
  Tensor Tensor::name(Scalar other) const { return compute(Operation::name, *this, other); }
D2L_BINARY(mul)
D2L_BINARY(div)
D2L_BINARY(remainder)
D2L_BINARY(floor_divide)
D2L_COMPARISONS(D2L_BINARY)
#undef D2L_BINARY

#define D2L_PAIR(name, ...) \
  Tensor Tensor::name(const Tensor& other) const { return compute(Operation::name, *this, other); }
D2L_PAIR_OPERATIONS(D2L_PAIR)
#undef D2L_PAIR

#define D2L_LOGICAL(name, ...)                                                                      \
  Tensor Tensor::name(const Tensor& other) const { return compute(Operation::name, *this, other); } \
  Tensor& Tensor::name##_(const Tensor& other) { return write(Operation::name, *this, other); }
D2L_LOGICAL_OPERATIONS(D2L_LOGICAL)
#undef D2L_LOGICAL

Tensor Tensor::pow(const Tensor& exponent) const { return compute(Operation::pow, *this, exponent); }
Tensor Tensor::pow(Scalar exponent) const {
  impl_of(*this, "pow");
  detail::check_exponent(*this, exponent);
  return compute(Operation::pow, *this, exponent);
}

#define D2L_UNARY(name, ...)                                              \
  Tensor Tensor::name() const { return compute(Operation::name, *this); } \
  Tensor& Tensor::name##_() { return write(Operation::name, *this); }
D2L_UNARY_OPERATIONS(D2L_UNARY)
#undef D2L_UNARY

Tensor pow(Scalar base, const Tensor& exponent) { return compute(Operation::pow, base, exponent); }
Tensor operator-(Scalar a, const Tensor& b) {
  detail::check_subtraction(Operation::sub, impl_of(b, "sub").dtype, a.type());
  return compute(Operation::sub, a, b);
}
Tensor operator/(Scalar a, const Tensor& b) { return compute(Operation::div, a, b); }
Tensor remainder(Scalar a, const Tensor& b) { return compute(Operation::remainder, a, b); }

Tensor& Tensor::add_(const Tensor& other, Scalar alpha) { return write_scaled(Operation::add, *this, other, alpha); }
Tensor& Tensor::add_(Scalar other, Scalar alpha) { return write_scaled(Operation::add, *this, other, alpha); }
Tensor& Tensor::sub_(const Tensor& other, Scalar alpha) { return write_scaled(Operation::sub, *this, other, alpha); }
Tensor& Tensor::sub_(Scalar other, Scalar alpha) { return write_scaled(Operation::sub, *this, other, alpha); }
Tensor& Tensor::mul_(const Tensor& other) { return write(Operation::mul, *this, other); }
Tensor& Tensor::mul_(Scalar other) { return write(Operation::mul, *this, other); }
Tensor& Tensor::div_(const Tensor& other) { return write(Operation::div, *this, other); }
Tensor& Tensor::div_(Scalar other) { return write(Operation::div, *this, other); }
Tensor& Tensor::remainder_(const Tensor& other) { return write(Operation::remainder, *this, other); }
Tensor& Tensor::remainder_(Scalar other) { return write(Operation::remainder, *this, other); }
Tensor& Tensor::floor_divide_(const Tensor& other) { return write(Operation::floor_divide, *this, other); }
Tensor& Tensor::floor_divide_(Scalar other) { return write(Operation::floor_divide, *this, other); }
Tensor& Tensor::pow_(const Tensor& exponent) { return write(Operation::pow, *this, exponent); }
Tensor& Tensor::pow_(Scalar exponent) {
  impl_of(*this, "pow");
  detail::check_exponent(*this, exponent);
  const auto type = detail::computation_type(Operation::pow, detail::result_type(*this, exponent));
  if (!detail::can_cast(type, dtype())) {
    detail::fail<TypeError>("pow_", fmt::format("Found dtype {} but expected {}", toString(dtype()), toString(type)),
                            detail::operands({{"a", impl().get()}}),
                            "write x = x.pow(exponent), which makes a new tensor");
  }
  return write(Operation::pow, *this, exponent);
}

Tensor& Tensor::fill_(Scalar value) {
  const TensorImpl& out = impl_of(*this, "fill_");
  detail::check_representable(value, out.dtype, "fill_");
  fill_all(*this, value, detail::Recorded::FillBackward2, "fill_");
  return *this;
}

Tensor& Tensor::zero_() {
  impl_of(*this, "zero_");
  fill_all(*this, 0, detail::Recorded::ZeroBackward0, "zero_");
  return *this;
}

}  // namespace d2l
