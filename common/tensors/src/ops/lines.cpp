// SPDX-License-Identifier: MIT
// Launches of the kernels that move elements along a dimension: take, index_add, sort, cumsum, and triangles.
#include "ops/lines.h"

namespace d2l::detail {

namespace {

/// Launches take or index_add; `lines` are the sizes of what is indexed.
void run_indexed(Operation operation, const TensorImpl& out, const TensorImpl& a, const TensorImpl& index,
                 const Dimensions& lines, const IndexAlong& at) {
  auto arguments = lines_along(lines, at.dim);
  arguments.rank = 4;
  const std::int64_t block = arguments.sizes[0] * arguments.sizes[2];
  arguments.sizes[3] = at.shared ? index.numel : block == 0 ? 0 : index.numel / block;
  arguments.operand_count = 3;
  arguments.operands[0] = whole(out);
  arguments.operands[1] = whole(a);
  arguments.operands[2] = whole(index);
  arguments.parameters[0].integer = at.shared ? 1 : 0;
  arguments.parameters[1] = {static_cast<double>(at.named_dim), static_cast<std::int64_t>(at.use)};
  prepare(operation, {&out, &a, &index});
  const std::int64_t moved = operation == Operation::take ? out.numel : a.numel;
  const auto bytes = arguments.operands[0].extent + arguments.operands[2].extent + moved * bytes_each(a.dtype);
  launch(operation, out.device(), arguments, bytes, moved * info(operation).flops);
}

/// The sizes of what is indexed: those of the index, except along the dimension.
Dimensions lines_of(const TensorImpl& index, const Dimensions& sizes, const IndexAlong& at) {
  if (at.shared || sizes.count == 0) return sizes;
  auto lines = index.sizes;
  lines[at.dim] = sizes[at.dim];
  return lines;
}

/// The part of `x` from the start of each dimension on; a view without a record.
Tensor corner(const TensorImpl& x, const Dimensions& sizes) { return make_view(x, sizes, x.strides, x.offset); }

}  // namespace

Tensor take(const Tensor& x, const IndexAlong& at) {
  const Tensor index = row_major(at.index);
  const TensorImpl& entries = *index.impl();
  const TensorImpl& impl = *x.impl();
  const auto lines = lines_of(entries, impl.sizes, at);
  auto sizes = lines;
  if (sizes.count > 0) sizes[at.dim] = at.shared ? entries.numel : entries.sizes[at.dim];
  if (impl.sizes.count == 0) sizes = at.shared ? impl.sizes : entries.sizes;
  auto out = make_tensor(sizes, impl.dtype, impl.device(), false, "take");
  // The kernel checks the index on a CPU. As in PyTorch, index_select() of empty rows does too.
  const bool checks = at.use == IndexUse::index_select && entries.numel > 0 && impl.device().is_cpu();
  if (out.impl()->numel == 0 && !checks) return out;
  const Tensor from = row_major(same(lines, impl.sizes) ? x : corner(impl, lines));
  run_indexed(Operation::take, *out.impl(), *from.impl(), entries, lines, at);
  return out;
}

Tensor index_add(const Tensor& values, const Dimensions& sizes, const IndexAlong& at) {
  const Tensor index = row_major(at.index);
  const Tensor from = row_major(values);
  const auto lines = lines_of(*index.impl(), sizes, at);
  const TensorImpl& impl = *from.impl();
  auto out = make_tensor(lines, impl.dtype, impl.device(), false, "index_add");
  if (out.impl()->numel > 0) run_indexed(Operation::index_add, *out.impl(), impl, *index.impl(), lines, at);
  if (same(lines, sizes)) return out;
  auto wide = make_tensor(sizes, impl.dtype, impl.device(), false, "index_add");
  fill(*wide.impl(), 0);
  copy_within_device(*corner(*wide.impl(), lines).impl(), *out.impl());
  return wide;
}

std::tuple<Tensor, Tensor> first_sorted(const Tensor& x, int dim, bool descending, std::int64_t count) {
  const Tensor from = row_major(x);
  const TensorImpl& impl = *from.impl();
  auto sizes = impl.sizes;
  if (sizes.count > 0) sizes[dim] = count;
  auto values = make_tensor(sizes, impl.dtype, impl.device(), false, "sort");
  auto indices = make_tensor(sizes, kLong, impl.device(), false, "sort");
  if (values.impl()->numel > 0) {
    auto arguments = lines_along(impl.sizes, dim);
    arguments.rank = 4;
    arguments.sizes[3] = count;
    arguments.parameters[0].integer = descending ? 1 : 0;
    launch_whole(Operation::sort, arguments, {values.impl().get(), &impl, indices.impl().get()}, impl.numel);
  }
  return {values, indices};
}

std::tuple<Tensor, Tensor> sorted(const Tensor& x, int dim, bool descending) {
  const auto& sizes = x.impl()->sizes;
  return first_sorted(x, dim, descending, sizes.count == 0 ? 1 : sizes[dim]);
}

Tensor sums_along(const Tensor& x, int dim) {
  const Tensor from = row_major(x);
  const TensorImpl& impl = *from.impl();
  auto out = make_tensor(impl.sizes, isFloatingType(impl.dtype) ? impl.dtype : kLong, impl.device(), false, "cumsum");
  if (impl.numel == 0) return out;
  auto arguments = lines_along(impl.sizes, dim);
  launch_whole(Operation::cumsum, arguments, {out.impl().get(), &impl}, impl.numel);
  return out;
}

Tensor triangle(Operation operation, const Tensor& x, std::int64_t diagonal) {
  const Tensor from = row_major(x);
  const TensorImpl& impl = *from.impl();
  auto out = make_tensor(impl.sizes, impl.dtype, impl.device(), false, info(operation).name);
  if (impl.numel == 0) return out;
  const int last = impl.sizes.count - 1;
  KernelArguments arguments;
  arguments.rank = 3;
  arguments.sizes = {impl.numel / (impl.sizes[last] * impl.sizes[last - 1]), impl.sizes[last - 1], impl.sizes[last]};
  arguments.parameters[0].integer = diagonal;
  launch_whole(operation, arguments, {out.impl().get(), &impl}, impl.numel);
  return out;
}

}  // namespace d2l::detail
