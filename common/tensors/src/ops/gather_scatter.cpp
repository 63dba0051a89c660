// SPDX-License-Identifier: MIT
// gather and scatter: their launches.
#include "ops/gather_scatter.h"

namespace d2l::detail {

namespace {

/// `lines`: the sizes of the larger of `out` and `a`.
void run(Operation operation, const TensorImpl& out, const TensorImpl& a, const TensorImpl& index,
         const Dimensions& lines, int dim, std::int64_t ignored) {
  if (out.numel == 0) return;
  auto arguments = lines_along(lines, dim);
  arguments.operand_count = 3;
  arguments.parameters[0].integer = ignored;
  arguments.operands[0] = whole(out);
  arguments.operands[1] = whole(a);
  arguments.operands[2] = whole(index);
  prepare(operation, {&out, &a, &index});
  const auto bytes = arguments.operands[0].extent + index.numel * (bytes_each(kLong) + bytes_each(a.dtype));
  launch(operation, out.device(), arguments, bytes, out.numel * info(operation).flops);
}

}  // namespace

Tensor gather(const Tensor& x, const Tensor& index, int dim, std::int64_t ignored) {
  const Tensor from = row_major(x);
  const Tensor ready = row_major(index);
  const TensorImpl& impl = *from.impl();
  auto out = make_tensor(ready.impl()->sizes, impl.dtype, impl.device(), false, "gather");
  run(Operation::gather, *out.impl(), impl, *ready.impl(), impl.sizes, dim, ignored);
  return out;
}

Tensor scatter(const Tensor& values, const Tensor& index, const Dimensions& sizes, int dim, std::int64_t ignored) {
  const Tensor from = row_major(values);
  const Tensor ready = row_major(index);
  auto out = make_tensor(sizes, from.impl()->dtype, from.impl()->device(), false, "scatter");
  run(Operation::scatter, *out.impl(), *from.impl(), *ready.impl(), sizes, dim, ignored);
  return out;
}

}  // namespace d2l::detail
