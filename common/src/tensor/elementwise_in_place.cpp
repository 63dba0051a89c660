// SPDX-License-Identifier: MIT
// Elementwise operations that write into their first operand.
#include <fmt/format.h>

#include "autograd/record_elementwise.h"
#include "ops/arithmetic_rules.h"
#include "ops/dispatch.h"
#include "ops/overlap.h"
#include "ops/promotion.h"
#include "ops/scaled.h"
#include "values/number_range.h"

namespace d2l {

using detail::check_in_place;
using detail::count_write;
using detail::Operation;
using detail::TensorImpl;

namespace {

std::string in_place_name(Operation operation) { return fmt::format("{}_", info(operation).name); }

void check_written_type(Operation operation, const TensorImpl& out, ScalarType result) {
  if (out.dtype == result || detail::can_cast(result, out.dtype)) return;
  detail::fail<TypeError>(
      in_place_name(operation),
      fmt::format("result type {} can't be cast to the desired output type {}", toString(result), toString(out.dtype)),
      detail::operands({{"a", &out}}), "write x = x op y, which makes a new tensor");
}

void check_written_shape(Operation operation, const TensorImpl& out, const TensorImpl& other) {
  if (same(out.sizes, other.sizes)) return;
  const auto name = in_place_name(operation);
  const auto shape = broadcast_shapes(out, other, name.c_str());
  if (same(shape, out.sizes)) return;
  detail::fail<ShapeError>(name,
                           fmt::format("output with shape {} doesn't match the broadcast shape {}",
                                       detail::text(out.sizes.ref()), detail::text(shape.ref())),
                           detail::operands({{"a", &out}, {"b", &other}}),
                           "write x = x op y, which makes a new tensor");
}

/// The written tensor may not be the number without dimensions that meets another device.
void check_written_device(Operation operation, const TensorImpl& out, const TensorImpl& other) {
  if (out.device() == other.device()) return;
  if (other.device().is_cpu() && other.sizes.count == 0) return;
  const auto name = in_place_name(operation);
  detail::common_device(name.c_str(), {&out, &other});
  detail::same_device(name.c_str(), {&out, &other});
}

/// The record of a write to `a`, if there is to be one.
template <class... Others>
detail::Record begin(Operation operation, const Tensor& a, const Others&... others) {
  auto begun = detail::begin_record(operation, a, others...);
  if (begun != nullptr) keep_overwritten(*begun, a);
  return begun;
}

/// After a write to `a`: its history, if it has one.
void finish(const Tensor& a, detail::Record begun) {
  count_write(a);
  if (begun == nullptr) return;
  save_result(*begun, a);
  attach_in_place(a, std::move(begun));
}

Tensor& write(Operation operation, Tensor& a, const Tensor& b) {
  const auto& out = detail::impl_of(a, info(operation).name);
  const auto& other = detail::impl_of(b, info(operation).name);
  check_in_place(a, info(operation).name);
  detail::check_no_internal_overlap(out, info(operation).name);
  Tensor kept;
  const Tensor& input = detail::safe_to_read(b, out, info(operation).name, kept);
  check_written_shape(operation, out, other);
  check_written_device(operation, out, other);
  const auto common = out.dtype == other.dtype ? out.dtype : detail::result_type(a, b);
  const auto type = detail::computation_type(operation, common);
  check_written_type(operation, out, type);
  auto begun = begin(operation, a, b);
  elementwise_into(operation, out, out, *input.impl(), type);
  finish(a, std::move(begun));
  return a;
}

Tensor& write(Operation operation, Tensor& a, const Scalar& b) {
  const auto& out = detail::impl_of(a, info(operation).name);
  check_in_place(a, info(operation).name);
  detail::check_no_internal_overlap(out, info(operation).name);
  const auto type = detail::computation_type(operation, detail::result_type(a, b));
  check_written_type(operation, out, type);
  auto begun = begin(operation, a, b);
  elementwise_into(operation, out, out, b, type);
  finish(a, std::move(begun));
  return a;
}

Tensor& write(Operation operation, Tensor& a) {
  const auto& out = detail::impl_of(a, info(operation).name);
  check_in_place(a, info(operation).name);
  detail::check_no_internal_overlap(out, info(operation).name);
  const auto type = detail::computation_type(operation, out.dtype);
  check_written_type(operation, out, type);
  auto begun = begin(operation, a);
  elementwise_into(operation, out, out, type);
  finish(a, std::move(begun));
  return a;
}

void fill_all(const Tensor& a, const Scalar& value, detail::Recorded kind, const char* operation) {
  check_in_place(a, operation);
  auto begun = detail::is_recorded(a) ? detail::record(kind, {&a}) : nullptr;
  detail::fill(*a.impl(), value);
  finish(a, std::move(begun));
}

/// a = a ± alpha × b.
Tensor& write_scaled(Operation operation, Tensor& a, const Tensor& b, const Scalar& alpha) {
  const auto& out = detail::impl_of(a, info(operation).name);
  const auto& other = detail::impl_of(b, info(operation).name);
  detail::check_subtraction(operation, out.dtype, other.dtype);
  if (detail::is_one(alpha)) return write(operation, a, b);
  check_in_place(a, info(operation).name);
  detail::check_no_internal_overlap(out, info(operation).name);
  Tensor kept;
  const Tensor& input = detail::safe_to_read(b, out, info(operation).name, kept);
  const auto type = out.dtype == other.dtype ? out.dtype : detail::result_type(a, b);
  detail::check_alpha(operation, type, alpha);
  check_written_shape(operation, out, other);
  check_written_device(operation, out, other);
  check_written_type(operation, out, type);
  auto begun = begin(operation, a, b, alpha);
  detail::add_scaled_into(operation, out, *input.impl(), alpha, type);
  finish(a, std::move(begun));
  return a;
}

Tensor& write_scaled(Operation operation, Tensor& a, const Scalar& b, const Scalar& alpha) {
  const auto& out = detail::impl_of(a, info(operation).name);
  detail::check_subtraction(operation, out.dtype, b.type());
  if (detail::is_one(alpha)) return write(operation, a, b);
  const auto type = detail::result_type(a, b);
  detail::check_alpha(operation, type, alpha);
  return write(operation, a, detail::product(b, alpha, type));
}

}  // namespace

Tensor& Tensor::add_(const Tensor& other, Scalar alpha) { return write_scaled(Operation::add, *this, other, alpha); }
Tensor& Tensor::add_(Scalar other, Scalar alpha) { return write_scaled(Operation::add, *this, other, alpha); }
Tensor& Tensor::sub_(const Tensor& other, Scalar alpha) { return write_scaled(Operation::sub, *this, other, alpha); }
Tensor& Tensor::sub_(Scalar other, Scalar alpha) { return write_scaled(Operation::sub, *this, other, alpha); }
Tensor& Tensor::mul_(const Tensor& other) { return write(Operation::mul, *this, other); }
Tensor& Tensor::mul_(Scalar other) { return write(Operation::mul, *this, other); }
Tensor& Tensor::div_(const Tensor& other) { return write(Operation::div, *this, other); }
Tensor& Tensor::div_(Scalar other) { return write(Operation::div, *this, other); }
Tensor& Tensor::pow_(const Tensor& exponent) { return write(Operation::pow, *this, exponent); }
Tensor& Tensor::pow_(Scalar exponent) {
  detail::impl_of(*this, "pow");
  detail::check_exponent(*this, exponent);
  const auto type = detail::computation_type(Operation::pow, detail::result_type(*this, exponent));
  if (!detail::can_cast(type, dtype())) {
    detail::fail<TypeError>("pow_", fmt::format("Found dtype {} but expected {}", toString(dtype()), toString(type)),
                            detail::operands({{"a", impl().get()}}),
                            "write x = x.pow(exponent), which makes a new tensor");
  }
  return write(Operation::pow, *this, exponent);
}

#define D2L_UNARY(name) \
  Tensor& Tensor::name##_() { return write(Operation::name, *this); }
D2L_UNARY(neg)
D2L_UNARY(abs)
D2L_UNARY(sqrt)
D2L_UNARY(exp)
D2L_UNARY(log)
D2L_UNARY(relu)
D2L_UNARY(sigmoid)
D2L_UNARY(tanh)
#undef D2L_UNARY

Tensor& Tensor::fill_(Scalar value) {
  const TensorImpl& out = detail::impl_of(*this, "fill_");
  detail::check_representable(value, out.dtype, "fill_");
  fill_all(*this, value, detail::Recorded::FillBackward2, "fill_");
  return *this;
}

Tensor& Tensor::zero_() {
  detail::impl_of(*this, "zero_");
  fill_all(*this, 0, detail::Recorded::ZeroBackward0, "zero_");
  return *this;
}

}  // namespace d2l
