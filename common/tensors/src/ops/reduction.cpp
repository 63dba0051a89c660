// SPDX-License-Identifier: MIT
// A reduction over any set of dimensions of a tensor of any layout.
#include "ops/reduction.h"

#include <algorithm>

namespace d2l::detail {

namespace {

struct Layout {
  std::int64_t outer = 1;
  std::int64_t reduced = 1;
  std::int64_t inner = 1;
};

Dimensions result_sizes(const TensorImpl& x, const Reduction& reduction) {
  Dimensions sizes;
  for (int i = 0; i < x.sizes.count; ++i) {
    const bool reduced = reduction.dims[static_cast<std::size_t>(i)];
    if (!reduced) {
      sizes[sizes.count++] = x.sizes[i];
    } else if (reduction.keepdim) {
      sizes[sizes.count++] = 1;
    }
  }
  return sizes;
}

/// The dimensions longer than 1, in the order of their strides, largest first.
Dimensions order_in_memory(const TensorImpl& x) {
  Dimensions order;
  for (int i = 0; i < x.sizes.count; ++i) {
    if (x.sizes[i] != 1) order[order.count++] = i;
  }
  std::stable_sort(order.values.begin(), order.values.begin() + order.count, [&x](std::int64_t a, std::int64_t b) {
    return x.strides[static_cast<int>(a)] > x.strides[static_cast<int>(b)];
  });
  return order;
}

/// Sets the layout if the memory already has it: kept dimensions in their order, around one block of reduced ones.
bool fits_in_place(const TensorImpl& x, const Reduction& reduction, bool order_matters, Layout& layout) {
  if (!is_dense(x)) return false;
  const auto order = order_in_memory(x);
  std::int64_t last_kept = -1;
  std::int64_t last_reduced = -1;
  enum { before, within, after } part = before;
  for (int i = 0; i < order.count; ++i) {
    const auto dim = order[i];
    const auto size = x.sizes[static_cast<int>(dim)];
    if (reduction.dims[static_cast<std::size_t>(dim)]) {
      if (part == after || (order_matters && dim < last_reduced)) return false;
      part = within;
      last_reduced = dim;
      layout.reduced *= size;
    } else {
      if (dim < last_kept) return false;
      last_kept = dim;
      if (part == within) part = after;
      (part == before ? layout.outer : layout.inner) *= size;
    }
  }
  return true;
}

/// A copy with the kept dimensions first.
Tensor rearranged(const Tensor& x, const Reduction& reduction, Layout& layout) {
  const TensorImpl& impl = *x.impl();
  Dimensions order;
  for (const bool wanted : {false, true}) {
    for (int i = 0; i < impl.sizes.count; ++i) {
      if (reduction.dims[static_cast<std::size_t>(i)] == wanted) order[order.count++] = i;
    }
  }
  layout = {};
  for (int i = 0; i < impl.sizes.count; ++i) {
    (reduction.dims[static_cast<std::size_t>(i)] ? layout.reduced : layout.outer) *= impl.sizes[i];
  }
  return row_major(x.permute(order.ref()));
}

}  // namespace

Tensor reduce(Operation operation, const Tensor& x, const Reduction& reduction) {
  const auto* name = info(operation).name;
  const auto sizes = result_sizes(*x.impl(), reduction);
  auto out = make_tensor(sizes, reduction.result, x.impl()->device(), false, name);
  if (reduction.indices != nullptr) *reduction.indices = make_tensor(sizes, kLong, x.impl()->device(), false, name);
  if (out.impl()->numel == 0) return out;
  if (x.impl()->numel == 0) {
    fill(*out.impl(), reduction.of_nothing);
    return out;
  }
  Layout layout;
  const bool order_matters =
      operation == Operation::argmax || operation == Operation::argmin || reduction.indices != nullptr;
  const Tensor input =
      fits_in_place(*x.impl(), reduction, order_matters, layout) ? x : rearranged(x, reduction, layout);

  KernelArguments arguments;
  arguments.rank = 3;
  arguments.sizes = {layout.outer, layout.reduced, layout.inner};
  arguments.parameters[0].real = reduction.correction;
  const TensorImpl* indices = reduction.indices == nullptr ? nullptr : reduction.indices->impl().get();
  launch_whole(operation, arguments, {out.impl().get(), input.impl().get(), indices}, input.impl()->numel);
  return out;
}

}  // namespace d2l::detail
