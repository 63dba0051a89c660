// SPDX-License-Identifier: MIT
// Elementwise operations that make a new tensor: arithmetic, comparisons, functions of one argument.
#include "autograd/record_elementwise.h"
#include "d2l/ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/dispatch.h"
#include "ops/promotion.h"
#include "ops/scaled.h"

namespace d2l {

using detail::Argument;
using detail::elementwise;
using detail::impl_of;
using detail::Operation;
using detail::recorded;

namespace {

const char* name_of(Operation operation) { return info(operation).name; }

ScalarType common_type(const Tensor& a, const Tensor& b) {
  return a.impl()->dtype == b.impl()->dtype ? a.impl()->dtype : detail::result_type(a, b);
}

Tensor compute(Operation operation, const Tensor& a, const Tensor& b) {
  const Argument x(a, name_of(operation));
  const Argument y(b, name_of(operation));
  const auto type = detail::computation_type(operation, common_type(a, b));
  return recorded(elementwise(operation, x, y, type, detail::output_type(operation, type)), operation, a, b);
}

Tensor compute(Operation operation, const Tensor& a, const Scalar& b) {
  const Argument x(a, name_of(operation));
  const auto type = detail::computation_type(operation, detail::result_type(a, b));
  return recorded(elementwise(operation, x, b, type, detail::output_type(operation, type)), operation, a, b);
}

Tensor compute(Operation operation, const Scalar& a, const Tensor& b) {
  const Argument y(b, name_of(operation));
  const auto type = detail::computation_type(operation, detail::result_type(b, a));
  return recorded(elementwise(operation, a, y, type, detail::output_type(operation, type)), operation, a, b);
}

Tensor compute(Operation operation, const Tensor& x) {
  const Argument a(x, name_of(operation));
  return recorded(elementwise(operation, a, detail::computation_type(operation, a.tensor->dtype)), operation, x);
}

/// a ± alpha × b.
template <class Other>
Tensor add_scaled(Operation operation, const Tensor& a, const Other& b, const Scalar& alpha) {
  if constexpr (std::is_same_v<Other, Tensor>) {
    const Argument x(a, name_of(operation));
    const Argument y(b, name_of(operation));
    detail::check_subtraction(operation, x.tensor->dtype, y.tensor->dtype);
    if (detail::is_one(alpha)) return compute(operation, a, b);
    const auto type = common_type(a, b);
    detail::check_alpha(operation, type, alpha);
    detail::check_operands(operation, *x.tensor, *y.tensor);
    return recorded(detail::sum_scaled(operation, *x.tensor, *y.tensor, alpha, type), operation, a, b, alpha);
  } else {
    const Argument x(a, name_of(operation));
    detail::check_subtraction(operation, x.tensor->dtype, b.type());
    if (detail::is_one(alpha)) return compute(operation, a, b);
    const auto type = detail::result_type(a, b);
    detail::check_alpha(operation, type, alpha);
    return compute(operation, a, detail::product(b, alpha, type));
  }
}

}  // namespace

Tensor Tensor::add(const Tensor& other, Scalar alpha) const { return add_scaled(Operation::add, *this, other, alpha); }
Tensor Tensor::add(Scalar other, Scalar alpha) const { return add_scaled(Operation::add, *this, other, alpha); }
Tensor Tensor::sub(const Tensor& other, Scalar alpha) const { return add_scaled(Operation::sub, *this, other, alpha); }
Tensor Tensor::sub(Scalar other, Scalar alpha) const { return add_scaled(Operation::sub, *this, other, alpha); }

#define D2L_BINARY(name)                                                                            \
  Tensor Tensor::name(const Tensor& other) const { return compute(Operation::name, *this, other); } \
  Tensor Tensor::name(Scalar other) const { return compute(Operation::name, *this, other); }
D2L_BINARY(mul)
D2L_BINARY(div)
D2L_BINARY(eq)
D2L_BINARY(ne)
D2L_BINARY(lt)
D2L_BINARY(le)
D2L_BINARY(gt)
D2L_BINARY(ge)
#undef D2L_BINARY

Tensor Tensor::pow(const Tensor& exponent) const { return compute(Operation::pow, *this, exponent); }
Tensor Tensor::pow(Scalar exponent) const {
  impl_of(*this, "pow");
  detail::check_exponent(*this, exponent);
  return compute(Operation::pow, *this, exponent);
}

#define D2L_UNARY(name) \
  Tensor Tensor::name() const { return compute(Operation::name, *this); }
D2L_UNARY(neg)
D2L_UNARY(abs)
D2L_UNARY(sqrt)
D2L_UNARY(exp)
D2L_UNARY(log)
D2L_UNARY(relu)
D2L_UNARY(sigmoid)
D2L_UNARY(tanh)
#undef D2L_UNARY

Tensor pow(Scalar base, const Tensor& exponent) { return compute(Operation::pow, base, exponent); }
Tensor operator-(Scalar a, const Tensor& b) {
  detail::check_subtraction(Operation::sub, impl_of(b, "sub").dtype, a.type());
  return compute(Operation::sub, a, b);
}
Tensor operator/(Scalar a, const Tensor& b) { return compute(Operation::div, a, b); }

}  // namespace d2l
