// SPDX-License-Identifier: MIT
// Elementwise functions that no line of the table alone defines: squares, rounding to decimals, and questions about
// floating-point numbers.
#include <cmath>
#include <limits>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"
#include "tensor/in_place.h"

namespace d2l {

using detail::check_floating;
using detail::elementwise;
using detail::impl_of;
using detail::Operation;
using detail::Recorded;
using detail::TensorImpl;

namespace {

Tensor all_of(bool value, const TensorImpl& shape) {
  return full(shape.sizes.ref(), value, TensorOptions(kBool).device(shape.device()));
}

/// 10 to the power of the decimals, negative for digits before the point.
Scalar power_of_ten(std::int64_t decimals) {
  const double power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  return decimals < 0 ? -power : power;
}

void check_rounded(const TensorImpl& x, std::int64_t decimals) {
  check_floating(x, "round", decimals == 0 ? "round_vml_cpu" : "round_cpu");
}

}  // namespace

Tensor Tensor::square() const { return pow(2); }
Tensor& Tensor::square_() { return pow_(2); }

Tensor Tensor::round(std::int64_t decimals) const {
  const TensorImpl& x = impl_of(*this, "round");
  check_rounded(x, decimals);
  auto result = elementwise(Operation::round_decimals, x, power_of_ten(decimals), x.dtype, x.dtype);
  if (detail::is_recorded(*this)) detail::attach(result, detail::record(Recorded::RoundBackward1, {this}));
  return result;
}

Tensor& Tensor::round_(std::int64_t decimals) {
  const TensorImpl& x = detail::writable(*this, "round");
  check_rounded(x, decimals);
  auto record = detail::is_recorded(*this) ? detail::record(Recorded::RoundBackward1, {this}) : nullptr;
  detail::elementwise_into(Operation::round_decimals, x, x, power_of_ten(decimals), x.dtype);
  detail::finish_write(*this, std::move(record));
  return *this;
}

// No kernels of their own: NaN alone differs from itself, and infinities alone have an infinite absolute value.

Tensor Tensor::isnan() const {
  const TensorImpl& x = impl_of(*this, "isnan");
  return isFloatingType(x.dtype) ? ne(*this) : all_of(false, x);
}

Tensor Tensor::isinf() const {
  const TensorImpl& x = impl_of(*this, "isinf");
  if (!isFloatingType(x.dtype)) return all_of(false, x);
  return detail::unrecorded([this] { return abs().eq(std::numeric_limits<double>::infinity()); });
}

Tensor Tensor::isfinite() const {
  const TensorImpl& x = impl_of(*this, "isfinite");
  if (!isFloatingType(x.dtype)) return all_of(true, x);
  return detail::unrecorded([this] { return abs().lt(std::numeric_limits<double>::infinity()); });
}

Tensor Tensor::logical_not() const {
  impl_of(*this, "logical_not");
  return eq(0);
}

Tensor& Tensor::logical_not_() {
  const TensorImpl& x = detail::writable(*this, "logical_not");
  detail::elementwise_into(Operation::eq, x, x, Scalar(0), x.dtype);
  detail::finish_write(*this, nullptr);
  return *this;
}

}  // namespace d2l
