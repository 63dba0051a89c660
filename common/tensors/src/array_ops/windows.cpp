// SPDX-License-Identifier: MIT
// Windows along a dimension, as a view: unfold.
#include <fmt/format.h>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"

namespace d2l {

using detail::fail;
using detail::impl_of;
using detail::TensorImpl;

namespace {

struct UnfoldState {
  int dim;
  std::int64_t size;
  std::int64_t step;
};

}  // namespace

Tensor TensorMembers::unfold(std::int64_t dimension, std::int64_t size, std::int64_t step) const {
  const TensorImpl& impl = impl_of(self(), "unfold");
  const auto it = detail::operands({{"it", &impl}});
  const int dim = detail::wrap_dimension(dimension, impl.sizes.count, "unfold");
  const bool scalar = impl.sizes.count == 0;
  const std::int64_t length = scalar ? 1 : impl.sizes[dim];
  const std::int64_t stride = scalar ? 1 : impl.strides[dim];
  if (size < 0) {
    fail<ValueError>("unfold", fmt::format("size is {} but must be >= 0", size), it, "give the length of a window");
  }
  if (size > length) {
    fail<ShapeError>("unfold",
                     fmt::format("maximum size for tensor at dimension {} is {} but size is {}", dim, length, size), it,
                     "give a window that is not longer than the dimension");
  }
  if (step <= 0) {
    fail<ValueError>("unfold", fmt::format("step is {} but must be > 0", step), it, "give the distance of two windows");
  }
  if (impl.sizes.count == max_dimensions) {
    fail<ShapeError>("unfold", fmt::format("only tensors with up to {} dims are supported", max_dimensions), it,
                     "merge some dimensions first, for example with reshape");
  }
  auto sizes = impl.sizes;
  auto strides = impl.strides;
  if (!scalar) {
    sizes[dim] = (length - size) / step + 1;
    if (sizes[dim] > 1) strides[dim] = stride * step;
  }
  sizes[sizes.count++] = size;
  strides[strides.count++] = stride;
  return detail::viewed(self(), detail::make_view(impl, sizes, strides, impl.offset), detail::Recorded::UnfoldBackward0,
                        UnfoldState{dim, size, step});
}

}  // namespace d2l

namespace d2l::detail::derivatives {

/// Adds the gradients of the windows: those of the element number i of each window do not overlap.
void UnfoldBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto [dim, size, step] = state_of<UnfoldState>(operation);
  const auto& sizes = operation.inputs[0].sizes;
  results[0] = zeros(sizes.ref(), g.options());
  if (sizes.count == 0) {
    if (size > 0) results[0] = g.select(-1, 0);
    return;
  }
  const std::int64_t last = (g.size(dim) - 1) * step;
  for (std::int64_t i = 0; i < size; ++i) {
    results[0].slice(dim, i, i + last + 1, step).add_(g.select(-1, i));
  }
}

}  // namespace d2l::detail::derivatives
