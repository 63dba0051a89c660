// SPDX-License-Identifier: MIT
// cat and stack: several tensors joined into one.
#include <fmt/format.h>

#include <string>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "ops/operands.h"

namespace d2l {

using detail::CastRule;
using detail::fail;
using detail::impl_of;
using detail::TensorImpl;
using detail::with_casts;

namespace {

struct JoinState {
  int dim;
  std::vector<std::int64_t> starts;  ///< of each tensor in the result of cat(), and the end of the last
};

/// An empty tensor of one dimension joins any other, as in PyTorch.
bool is_skipped(const TensorImpl& impl) { return impl.sizes.count == 1 && impl.sizes[0] == 0; }

void check_shapes(const std::vector<Tensor>& tensors, const TensorImpl& first, int dim) {
  for (std::size_t number = 0; number < tensors.size(); ++number) {
    const TensorImpl& impl = *tensors[number].impl();
    if (is_skipped(impl)) continue;
    if (impl.sizes.count != first.sizes.count) {
      fail<ShapeError>("cat",
                       fmt::format("Tensors must have same number of dimensions: got {} and {}", first.sizes.count,
                                   impl.sizes.count),
                       detail::operands({{"first", &first}, {"other", &impl}}), "unsqueeze or reshape one of them");
    }
    for (int i = 0; i < first.sizes.count; ++i) {
      if (i == dim || impl.sizes[i] == first.sizes[i]) continue;
      fail<ShapeError>("cat",
                       fmt::format("Sizes of tensors must match except in dimension {}. Expected size {} but got size "
                                   "{} for tensor number {} in the list.",
                                   dim, first.sizes[i], impl.sizes[i], number),
                       detail::operands({{"first", &first}, {"other", &impl}}));
    }
  }
}

/// The view of `count` elements from `start` on, along a dimension.
Tensor part_along(const Tensor& whole, int dim, std::int64_t start, std::int64_t count) {
  const TensorImpl& impl = *whole.impl();
  auto sizes = impl.sizes;
  sizes[dim] = count;
  return detail::make_view(impl, sizes, impl.strides, impl.offset + start * impl.strides[dim]);
}

Tensor record_join(Tensor result, const std::vector<Tensor>& tensors, detail::Recorded kind, int dim) {
  if (!GradMode::is_enabled() || !isFloatingType(result.impl()->dtype)) return result;
  if (!std::ranges::any_of(tensors, [](const Tensor& tensor) { return detail::is_recorded(tensor); })) return result;
  std::vector<detail::Edge> edges;
  edges.reserve(tensors.size());
  for (const Tensor& tensor : tensors) edges.push_back(detail::edge_of(tensor));
  auto record = std::make_shared<detail::RecordedOperation>(kind);
  record->inputs = std::move(edges);
  JoinState state{dim, {}};
  std::int64_t at = 0;
  for (const Tensor& tensor : tensors) {
    state.starts.push_back(at);
    if (!is_skipped(*tensor.impl()) && kind == detail::Recorded::CatBackward0) at += tensor.impl()->sizes[dim];
  }
  state.starts.push_back(at);
  record->state = std::move(state);
  detail::attach(result, std::move(record));
  return result;
}

ScalarType shared_type(const std::vector<Tensor>& tensors) {
  ScalarType type = tensors.front().impl()->dtype;
  for (const Tensor& tensor : tensors) type = promoteTypes(type, tensor.impl()->dtype);
  return type;
}

}  // namespace

Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim) {
  if (tensors.empty()) {
    fail<ValueError>("cat", "torch.cat(): expected a non-empty list of Tensors", {}, "give it one tensor at least");
  }
  if (detail::autocasts(CastRule::widest, tensors.front())) {
    return with_casts(
        CastRule::widest, [&](const std::vector<Tensor>& converted) { return cat(converted, dim); }, tensors);
  }
  const TensorImpl* first = nullptr;
  for (std::size_t number = 0; number < tensors.size(); ++number) {
    const TensorImpl& impl = impl_of(tensors[number], "cat");
    if (impl.sizes.count == 0) {
      fail<ShapeError>("cat", fmt::format("zero-dimensional tensor (at position {}) cannot be concatenated", number),
                       {}, "use stack, which adds a dimension");
    }
    if (first == nullptr && !is_skipped(impl)) first = &impl;
  }
  if (first == nullptr) first = tensors.front().impl().get();
  const int along = detail::wrap_dimension(dim, first->sizes.count, "cat");
  check_shapes(tensors, *first, along);
  for (const Tensor& tensor : tensors) detail::same_device("cat", {first, tensor.impl().get()});

  auto sizes = first->sizes;
  sizes[along] = 0;
  for (const Tensor& tensor : tensors) {
    if (is_skipped(*tensor.impl())) continue;
    if (__builtin_add_overflow(sizes[along], tensor.impl()->sizes[along], &sizes[along])) {
      fail<ShapeError>("cat", "Storage size calculation overflowed along dimension " + std::to_string(along), {},
                       "join fewer tensors");
    }
  }
  auto out = detail::make_tensor(sizes, shared_type(tensors), first->device(), false, "cat");
  std::int64_t at = 0;
  for (const Tensor& tensor : tensors) {
    const TensorImpl& impl = *tensor.impl();
    if (is_skipped(impl)) continue;
    const Tensor part = part_along(out, along, at, impl.sizes[along]);
    detail::copy_within_device(*part.impl(), impl);
    at += impl.sizes[along];
  }
  return record_join(std::move(out), tensors, detail::Recorded::CatBackward0, along);
}

Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim) {
  if (tensors.empty())
    fail<ValueError>("stack", "stack expects a non-empty TensorList", {}, "give it one tensor at least");
  if (detail::autocasts(CastRule::widest, tensors.front())) {
    return with_casts(
        CastRule::widest, [&](const std::vector<Tensor>& converted) { return stack(converted, dim); }, tensors);
  }
  const TensorImpl& first = impl_of(tensors.front(), "stack");
  const int along = detail::wrap_dimension(dim, first.sizes.count + 1, "stack");
  std::vector<Tensor> layers;
  layers.reserve(tensors.size());
  for (std::size_t number = 0; number < tensors.size(); ++number) {
    const TensorImpl& impl = impl_of(tensors[number], "stack");
    if (!same(impl.sizes, first.sizes)) {
      fail<ShapeError>("stack",
                       fmt::format("stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry "
                                   "{}",
                                   detail::text(first.sizes.ref()), detail::text(impl.sizes.ref()), number));
    }
    layers.push_back(tensors[number].detach().unsqueeze(along));
  }
  return record_join(cat(layers, along), tensors, detail::Recorded::StackBackward0, along);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void CatBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& [dim, starts] = state_of<JoinState>(operation);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto start = starts[i];
    const auto end = starts[i + 1];
    if (!operation.wants(i)) continue;
    results[i] = start == end ? zeros(operation.inputs[i].sizes.ref(), g.options()) : g.slice(dim, start, end);
  }
}

void StackBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const int dim = state_of<JoinState>(operation).dim;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (operation.wants(i)) results[i] = g.select(dim, static_cast<std::int64_t>(i));
  }
}

}  // namespace d2l::detail::derivatives
