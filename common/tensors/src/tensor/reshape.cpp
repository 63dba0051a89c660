// SPDX-License-Identifier: MIT
// view and reshape: the same elements in the same order, under other sizes.
#include <fmt/format.h>

#include <optional>

#include "autograd/recording.h"
#include "ops/elementwise_launch.h"

namespace d2l {

namespace detail {

namespace {

/// The given sizes, with -1 replaced by the size that fits.
Dimensions complete_sizes(IntArrayRef asked, std::int64_t numel, const char* operation) {
  auto sizes = dimensions(asked, operation);
  int inferred = -1;
  std::int64_t known = 1;
  bool overflow = false;
  for (int i = 0; i < sizes.count; ++i) {
    if (sizes[i] == -1) {
      if (inferred >= 0)
        fail<ShapeError>(operation, "only one dimension can be inferred", {}, "give all sizes but one");
      inferred = i;
    } else if (sizes[i] < 0) {
      fail<ShapeError>(operation, fmt::format("invalid shape dimension {}", sizes[i]), {},
                       "sizes are 0 or more, or -1");
    } else {
      overflow = __builtin_mul_overflow(known, sizes[i], &known) || overflow;
    }
  }
  for (int i = 0; i < sizes.count; ++i) {
    if (sizes[i] == 0) known = 0;
  }
  if (known == 0) overflow = false;
  const bool fits = !overflow && (known == numel || (inferred >= 0 && known > 0 && numel % known == 0));
  if (!fits) {
    fail<ShapeError>(operation, fmt::format("shape '{}' is invalid for input of size {}", text(asked), numel), {},
                     "give sizes whose product is the number of elements");
  }
  if (inferred >= 0) {
    if (known == 0) {
      fail<ShapeError>(
          operation,
          fmt::format("cannot reshape tensor of 0 elements into shape {} because the unspecified dimension "
                      "size -1 can be any value and is ambiguous",
                      text(asked)),
          {}, "give every size");
    }
    sizes[inferred] = numel / known;
  }
  return sizes;
}

/// Strides that give `tensor`, in row-major order, the shape `sizes` of as many elements; nullopt if it needs a copy.
std::optional<Dimensions> strides_for(const TensorImpl& tensor, const Dimensions& sizes, const char* operation) {
  if (tensor.contiguous) return contiguous_strides(sizes, operation);
  // Runs of elements at equal distances, the innermost last.
  Dimensions lengths;
  Dimensions distances;
  for (int i = 0; i < tensor.sizes.count; ++i) {
    if (tensor.sizes[i] == 1) continue;
    const int last = lengths.count - 1;
    if (last >= 0 && distances[last] == tensor.strides[i] * tensor.sizes[i]) {
      lengths[last] *= tensor.sizes[i];
      distances[last] = tensor.strides[i];
    } else {
      lengths[lengths.count++] = tensor.sizes[i];
      distances[distances.count++] = tensor.strides[i];
    }
  }
  // Each new dimension takes its elements from the innermost run that has some left.
  Dimensions strides;
  strides.count = sizes.count;
  int run = lengths.count - 1;
  std::int64_t left = run >= 0 ? lengths[run] : 1;
  std::int64_t stride = run >= 0 ? distances[run] : 1;
  for (int i = sizes.count - 1; i >= 0; --i) {
    if (sizes[i] != 1 && left == 1 && run > 0) {
      --run;
      left = lengths[run];
      stride = distances[run];
    }
    if (left % sizes[i] != 0) return std::nullopt;
    strides[i] = stride;
    stride *= sizes[i];
    left /= sizes[i];
  }
  return strides;
}

}  // namespace
}  // namespace detail

Tensor Tensor::view(IntArrayRef sizes) const {
  const auto& impl = detail::impl_of(*this, "view");
  const auto complete = detail::complete_sizes(sizes, impl.numel, "view");
  const auto strides = detail::strides_for(impl, complete, "view");
  if (!strides) {
    detail::fail<ShapeError>("view",
                             "view size is not compatible with input tensor's size and stride (at least one dimension "
                             "spans across two contiguous subspaces). Use .reshape(...) instead.",
                             detail::operands({{"input", &impl}}));
  }
  return detail::viewed(*this, detail::make_view(impl, complete, *strides, impl.offset),
                        detail::Recorded::ViewBackward0);
}

Tensor Tensor::reshape(IntArrayRef sizes) const {
  const auto& impl = detail::impl_of(*this, "reshape");
  const auto complete = detail::complete_sizes(sizes, impl.numel, "reshape");
  if (const auto strides = detail::strides_for(impl, complete, "reshape")) {
    return detail::viewed(*this, detail::make_view(impl, complete, *strides, impl.offset),
                          detail::Recorded::ReshapeAliasBackward0);
  }
  const auto copy = detail::row_major(*this);
  auto result = detail::make_view(*copy.impl(), complete, detail::contiguous_strides(complete, "reshape"), 0);
  if (detail::is_recorded(*this)) {
    detail::attach(result, detail::record(detail::Recorded::UnsafeViewBackward0, {this}));
  }
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

D2L_DERIVATIVE(ViewBackward0, g.reshape(operation.inputs[0].sizes.ref()))
D2L_DERIVATIVE(ReshapeAliasBackward0, g.reshape(operation.inputs[0].sizes.ref()))

}  // namespace d2l::detail::derivatives
