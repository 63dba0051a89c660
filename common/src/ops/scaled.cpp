// SPDX-License-Identifier: MIT
// a ± alpha × b: the one-pass kernel, or a product and a sum.
#include "ops/scaled.h"

namespace d2l::detail {

namespace {

bool lie_alike(const TensorImpl& a, const TensorImpl& b, ScalarType type) {
  return isFloatingType(type) && a.dtype == type && b.dtype == type && a.contiguous && b.contiguous &&
         a.device() == b.device() && same(a.sizes, b.sizes);
}

void run(Operation operation, const TensorImpl& out, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha) {
  if (out.numel == 0) return;
  KernelArguments arguments;
  arguments.rank = 1;
  arguments.operand_count = 3;
  arguments.sizes[0] = out.numel;
  const TensorImpl* tensors[] = {&out, &a, &b};
  for (std::size_t k = 0; k < 3; ++k) {
    arguments.operands[k] = whole(*tensors[k]);
    arguments.operands[k].strides[0] = 1;
  }
  arguments.parameters[0].real = operation == Operation::sub ? -alpha.toDouble() : alpha.toDouble();
  prepare(Operation::add_scaled, out, {&a, &b});
  launch(Operation::add_scaled, out.device(), arguments, 3 * arguments.operands[0].extent,
         out.numel * info(Operation::add_scaled).flops);
}

Tensor scaled(const TensorImpl& b, const Scalar& alpha, ScalarType type) {
  return elementwise(Operation::mul, b, alpha, type, type);
}

}  // namespace

Tensor sum_scaled(Operation operation, const TensorImpl& a, const TensorImpl& b, const Scalar& alpha, ScalarType type) {
  if (!lie_alike(a, b, type)) {
    const Tensor product = scaled(b, alpha, type);
    return elementwise(operation, a, *product.impl(), type, type);
  }
  auto out = make_tensor(a.sizes, type, a.device(), false, info(operation).name);
  run(operation, *out.impl(), a, b, alpha);
  return out;
}

void add_scaled_into(Operation operation, const TensorImpl& out, const TensorImpl& b, const Scalar& alpha,
                     ScalarType type) {
  if (lie_alike(out, b, type)) {
    run(operation, out, out, b, alpha);
    return;
  }
  const Tensor product = scaled(b, alpha, type);
  elementwise_into(operation, out, out, *product.impl(), type);
}

}  // namespace d2l::detail
