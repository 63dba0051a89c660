// SPDX-License-Identifier: MIT
// Views: other shapes of the same elements, without a copy.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "tensor/sliced.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::make_view;
using detail::Recorded;
using detail::TensorImpl;
using detail::viewed;
using detail::wrap_dimension;

namespace {

struct TransposeState {
  std::int64_t first;
  std::int64_t second;
};
struct PermuteState {
  Dimensions order;
};
struct SelectState {
  std::int64_t dim;
  std::int64_t index;
};

Dimensions without(const Dimensions& list, int dim) {
  Dimensions result;
  for (int i = 0; i < list.count; ++i) {
    if (i != dim) result[result.count++] = list[i];
  }
  return result;
}

Tensor exchanged(const TensorImpl& impl, int first, int second) {
  auto sizes = impl.sizes;
  auto strides = impl.strides;
  std::swap(sizes[first], sizes[second]);
  std::swap(strides[first], strides[second]);
  return make_view(impl, sizes, strides, impl.offset);
}

void check_room(const TensorImpl& impl, const char* operation) {
  if (impl.sizes.count < max_dimensions) return;
  fail<ShapeError>(operation, fmt::format("only tensors with up to {} dims are supported", max_dimensions),
                   detail::operands({{"it", &impl}}), "merge some dimensions first, for example with reshape");
}

}  // namespace

Tensor Tensor::transpose(std::int64_t dim0, std::int64_t dim1) const {
  const TensorImpl& impl = impl_of(*this, "transpose");
  const int first = wrap_dimension(dim0, impl.sizes.count, "transpose");
  const int second = wrap_dimension(dim1, impl.sizes.count, "transpose");
  return viewed(*this, exchanged(impl, first, second), Recorded::TransposeBackward0, TransposeState{first, second});
}

Tensor Tensor::t() const {
  const TensorImpl& impl = impl_of(*this, "t");
  if (impl.sizes.count > 2) {
    fail<ShapeError>("t", fmt::format("t() expects a tensor with <= 2 dimensions, but self is {}D", impl.sizes.count),
                     detail::operands({{"self", &impl}}), "name the dimensions: transpose(dim0, dim1)");
  }
  const int last = std::max(impl.sizes.count - 1, 0);
  return viewed(*this, exchanged(impl, 0, last), Recorded::TBackward0);
}

Tensor Tensor::permute(IntArrayRef dims) const {
  const TensorImpl& impl = impl_of(*this, "permute");
  if (dims.size() != static_cast<std::size_t>(impl.sizes.count)) {
    fail<ShapeError>("permute",
                     fmt::format("permute(sparse_coo): number of dimensions in the tensor input does not match the "
                                 "length of the desired ordering of dimensions i.e. input.dim() = {} is not equal to "
                                 "len(dims) = {}",
                                 impl.sizes.count, dims.size()),
                     detail::operands({{"input", &impl}}), "name each dimension once");
  }
  Dimensions sizes;
  Dimensions strides;
  Dimensions order;
  sizes.count = strides.count = order.count = impl.sizes.count;
  std::array<bool, max_dimensions> seen{};
  for (int i = 0; i < sizes.count; ++i) {
    const int dim = wrap_dimension(dims[static_cast<std::size_t>(i)], sizes.count, "permute");
    if (std::exchange(seen[static_cast<std::size_t>(dim)], true)) {
      fail<ShapeError>("permute", "permute(): duplicate dims are not allowed.", "(repeated dim in permute)",
                       "name each dimension once");
    }
    order[i] = dim;
    sizes[i] = impl.sizes[dim];
    strides[i] = impl.strides[dim];
  }
  return viewed(*this, make_view(impl, sizes, strides, impl.offset), Recorded::PermuteBackward0, PermuteState{order});
}

Tensor Tensor::unsqueeze(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(*this, "unsqueeze");
  check_room(impl, "unsqueeze");
  const int at = wrap_dimension(dim, impl.sizes.count + 1, "unsqueeze");
  Dimensions sizes;
  Dimensions strides;
  sizes.count = strides.count = impl.sizes.count + 1;
  for (int i = 0; i < sizes.count; ++i) {
    const int old = i < at ? i : i - 1;
    sizes[i] = i == at ? 1 : impl.sizes[old];
    strides[i] = i == at ? 1 : impl.strides[old];
  }
  if (at < impl.sizes.count) strides[at] = impl.sizes[at] * impl.strides[at];
  return viewed(*this, make_view(impl, sizes, strides, impl.offset), Recorded::UnsqueezeBackward0);
}

Tensor Tensor::squeeze() const {
  const TensorImpl& impl = impl_of(*this, "squeeze");
  Dimensions sizes;
  Dimensions strides;
  for (int i = 0; i < impl.sizes.count; ++i) {
    if (impl.sizes[i] == 1) continue;
    sizes[sizes.count++] = impl.sizes[i];
    strides[strides.count++] = impl.strides[i];
  }
  return viewed(*this, make_view(impl, sizes, strides, impl.offset), Recorded::SqueezeBackward0);
}

Tensor Tensor::squeeze(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(*this, "squeeze");
  const int at = wrap_dimension(dim, impl.sizes.count, "squeeze");
  const bool stays = impl.sizes.count == 0 || impl.sizes[at] != 1;
  auto view = stays ? make_view(impl, impl.sizes, impl.strides, impl.offset)
                    : make_view(impl, without(impl.sizes, at), without(impl.strides, at), impl.offset);
  return viewed(*this, std::move(view), Recorded::SqueezeBackward1);
}

Tensor Tensor::select(std::int64_t dim, std::int64_t index) const {
  const TensorImpl& impl = impl_of(*this, "select");
  if (impl.sizes.count == 0) {
    fail<IndexError>("select",
                     "select() cannot be applied to a 0-dim tensor. invalid index of a 0-dim tensor. Use "
                     "`tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
  }
  const int at = wrap_dimension(dim, impl.sizes.count, "select");
  const std::int64_t size = impl.sizes[at];
  if (index < -size || index >= size) {
    fail<IndexError>("select",
                     fmt::format("index {} is out of bounds for dimension {} with size {}: select(): index {} out of "
                                 "range for tensor of size {} at dimension {}",
                                 index, at, size, index, detail::text(impl.sizes.ref()), at));
  }
  const std::int64_t position = index < 0 ? index + size : index;
  const std::int64_t offset = impl.offset + position * impl.strides[at];
  return viewed(*this, make_view(impl, without(impl.sizes, at), without(impl.strides, at), offset),
                Recorded::SelectBackward0, SelectState{at, position});
}

Tensor Tensor::slice(std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                     std::int64_t step) const {
  const TensorImpl& impl = impl_of(*this, "slice");
  if (impl.sizes.count == 0) {
    fail<IndexError>("slice", "slice() cannot be applied to a 0-dim tensor.");
  }
  const int at = wrap_dimension(dim, impl.sizes.count, "slice");
  if (step <= 0) {
    fail<ValueError>("slice", fmt::format("slice step must be positive: {}",
                                          step == 0 ? "slice step cannot be zero" : "step must be greater than zero"));
  }
  const std::int64_t size = impl.sizes[at];
  const auto bound = [size](std::int64_t index) {
    return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
  };
  const std::int64_t first = bound(start.value_or(0));
  const std::int64_t last = std::max(bound(end.value_or(size)), first);
  auto sizes = impl.sizes;
  auto strides = impl.strides;
  const std::int64_t length = last - first;
  sizes[at] = length / step + (length % step != 0 ? 1 : 0);
  if (sizes[at] > 1) strides[at] *= step;
  return viewed(*this, make_view(impl, sizes, strides, impl.offset + first * impl.strides[at]),
                Recorded::SliceBackward0, detail::Sliced{at, first, step});
}

Tensor Tensor::expand(IntArrayRef sizes) const {
  const TensorImpl& impl = impl_of(*this, "expand");
  const int count = static_cast<int>(sizes.size());
  if (count < impl.sizes.count) {
    fail<ShapeError>("expand",
                     fmt::format("expand(torch.{}{}Tensor{{{}}}, size={}): the number of sizes provided ({}) must be "
                                 "greater or equal to the number of dimensions in the tensor ({})",
                                 impl.device().is_cpu() ? "" : "cuda.", toString(impl.dtype),
                                 detail::text(impl.sizes.ref()), detail::text(sizes), count, impl.sizes.count));
  }
  auto target = detail::dimensions(sizes, "expand");
  for (int i = count - 1; i >= 0; --i) {
    const int own = i - (count - impl.sizes.count);
    if (own < 0) {
      if (target[i] >= 0) continue;
      fail<ShapeError>("expand",
                       fmt::format("The expanded size of the tensor ({}) isn't allowed in a leading, non-existing "
                                   "dimension {}",
                                   target[i], i));
    }
    const std::int64_t existing = impl.sizes[own];
    if (target[i] == -1) target[i] = existing;
    if (target[i] != existing && (existing != 1 || target[i] < 0)) {
      fail<ShapeError>("expand",
                       fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at "
                                   "non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}",
                                   target[i], existing, i, detail::text(sizes), detail::text(impl.sizes.ref())));
    }
  }
  return viewed(*this, detail::broadcast_view(impl, target), Recorded::ExpandBackward0);
}

Tensor Tensor::contiguous() const {
  if (impl_of(*this, "contiguous").contiguous) return *this;
  auto copy = detail::row_major(*this);
  if (detail::is_recorded(*this)) detail::attach(copy, detail::record(Recorded::CloneBackward0, {this}));
  return copy;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// Zeros of the shape of the first input.
Tensor zeros_of_input(const RecordedOperation& operation, const Tensor& g) {
  return zeros(operation.inputs[0].sizes.ref(), g.options());
}

}  // namespace

D2L_DERIVATIVE(SqueezeBackward0, g.reshape(operation.inputs[0].sizes.ref()))
D2L_DERIVATIVE(SqueezeBackward1, g.reshape(operation.inputs[0].sizes.ref()))
D2L_DERIVATIVE(UnsqueezeBackward0, g.reshape(operation.inputs[0].sizes.ref()))
D2L_DERIVATIVE(ExpandBackward0, g)  // backward() sums over what was expanded
D2L_DERIVATIVE(TBackward0, g.t())

void TransposeBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& [first, second] = state_of<TransposeState>(operation);
  results[0] = g.transpose(first, second);
}

void PermuteBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  Dimensions inverse;
  const auto& order = state_of<PermuteState>(operation).order;
  inverse.count = order.count;
  for (int i = 0; i < inverse.count; ++i) inverse[static_cast<int>(order[i])] = i;
  results[0] = g.permute(inverse.ref());
}

void SelectBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  results[0] = zeros_of_input(operation, g);
  const auto& [dim, index] = state_of<SelectState>(operation);
  results[0].select(dim, index).copy_(g);
}

void SliceBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  results[0] = zeros_of_input(operation, g);
  const auto& [dim, start, step] = state_of<Sliced>(operation);
  const auto count = operation.sizes[static_cast<int>(dim)];
  if (count == 0) return;
  results[0].slice(dim, start, start + (count - 1) * step + 1, step).copy_(g);
}

}  // namespace d2l::detail::derivatives
