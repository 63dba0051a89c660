// SPDX-License-Identifier: MIT
// Elementwise functions with numbers as arguments, and others that no line of the table alone defines: the activations,
// rounding to decimals, squares, and questions about floating-point numbers.
#include <cmath>
#include <limits>
#include <string_view>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/elementwise_launch.h"
#include "tensor/in_place.h"

namespace d2l {

using detail::Argument;
using detail::check_floating;
using detail::elementwise;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::Recorded;
using detail::TensorImpl;

namespace {

/// `result`, with a record that saves x and the numbers.
Tensor recorded(const Tensor& result, Recorded kind, const Tensor& x, const Scalar& number = 0,
                const Scalar& second_number = 0) {
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(kind, {&x});
  detail::save(*record, 0, x);
  record->number = number;
  record->second_number = second_number;
  detail::attach(result, std::move(record));
  return result;
}

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
  const auto result = elementwise(Operation::round_decimals, x, power_of_ten(decimals), x.dtype, x.dtype);
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

Tensor gelu(const Tensor& x, std::string_view approximate) {
  const TensorImpl& impl = impl_of(x, "gelu");
  const bool by_tanh = approximate == "tanh";
  if (!by_tanh && approximate != "none") {
    fail<ValueError>("gelu", "approximate argument must be either none or tanh.");
  }
  check_floating(impl, "gelu", "GeluKernelImpl");
  return recorded(elementwise(by_tanh ? Operation::gelu_tanh : Operation::gelu, impl, impl.dtype),
                  Recorded::GeluBackward0, x, by_tanh);
}

Tensor silu(const Tensor& x) {
  const TensorImpl& impl = impl_of(x, "silu");
  check_floating(impl, "silu", "silu_cpu");
  return recorded(elementwise(Operation::silu, impl, impl.dtype), Recorded::SiluBackward0, x);
}

Tensor softplus(const Tensor& x, Scalar beta, Scalar threshold) {
  const TensorImpl& impl = impl_of(x, "softplus");
  check_floating(impl, "softplus", "softplus_cpu");
  const Tensor result = detail::make_tensor(impl.sizes, impl.dtype, impl.device(), false, "softplus");
  detail::choice_into(Operation::softplus, *result.impl(), {impl, beta, threshold}, impl.dtype);
  return recorded(result, Recorded::SoftplusBackward0, x, beta, threshold);
}

Tensor leaky_relu(const Tensor& x, Scalar negative_slope) {
  const TensorImpl& impl = impl_of(x, "leaky_relu");
  check_floating(impl, "leaky_relu", "leaky_relu_cpu");
  return recorded(elementwise(Operation::leaky_relu, impl, negative_slope, impl.dtype, impl.dtype),
                  Recorded::LeakyReluBackward0, x, negative_slope);
}

Tensor elu(const Tensor& x, Scalar alpha) {
  const TensorImpl& impl = impl_of(x, "elu");
  check_floating(impl, "elu", "elu_cpu");
  return recorded(elementwise(Operation::elu, impl, alpha, impl.dtype, impl.dtype), Recorded::EluBackward0, x, alpha);
}

}  // namespace d2l
