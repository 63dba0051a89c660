// SPDX-License-Identifier: MIT
// a ± alpha × b: by one kernel, or by a product and a sum.
#include "ops/scaled.h"

namespace d2l::detail {

namespace {

bool have_one_layout(const TensorImpl& a, const TensorImpl& b, ScalarType type) {
  return isFloatingType(type) && a.dtype == type && b.dtype == type && a.contiguous && b.contiguous &&
         a.device() == b.device() && same(a.sizes, b.sizes);
}

void run(Operation operation, const TensorImpl& out, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha) {
  if (out.numel == 0) return;
  auto arguments = one_dimension(out.numel);
  arguments.parameters[0].real = operation == Operation::sub ? -alpha.toDouble() : alpha.toDouble();
  launch_whole(Operation::add_scaled, arguments, {&out, &a, &b}, out.numel);
}

Tensor scaled(const TensorImpl& b, const Scalar& alpha, ScalarType type) {
  return elementwise(Operation::mul, b, alpha, type, type);
}

}  // namespace

Tensor sum_scaled(Operation operation, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha, ScalarType type) {
  if (!have_one_layout(a, b, type)) {
    const Tensor product = scaled(b, alpha, type);
    return elementwise(operation, a, *product.impl(), type, type);
  }
  auto out = make_tensor(a.sizes, type, a.device(), false, info(operation).name);
  run(operation, *out.impl(), a, b, alpha);
  return out;
}

void add_scaled_into(Operation operation, const TensorImpl& out, const TensorImpl& b, const Scalar& alpha,
                     ScalarType type) {
  if (have_one_layout(out, b, type)) {
    run(operation, out, out, b, alpha);
    return;
  }
  const Tensor product = scaled(b, alpha, type);
  elementwise_into(operation, out, out, *product.impl(), type);
}

}  // namespace d2l::detail
