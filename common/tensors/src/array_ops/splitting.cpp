// SPDX-License-Identifier: MIT
// Views of parts along a dimension: narrow, split, chunk and unbind.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"
#include "tensor/sliced.h"

namespace d2l {

using detail::fail;
using detail::impl_of;
using detail::Recorded;
using detail::TensorImpl;

namespace {

/// The dimension along which a tensor is divided; ShapeError for a tensor without dimensions.
int divided_dimension(const TensorImpl& impl, std::int64_t dim, const char* operation) {
  if (impl.sizes.count == 0) {
    fail<ShapeError>(operation, fmt::format("{} expects at least a 1-dimensional tensor", operation),
                     detail::operands({{"it", &impl}}), "add a dimension first, with unsqueeze");
  }
  return detail::wrap_dimension(dim, impl.sizes.count, operation);
}

/// Refuses a count of parts whose list alone would fill the memory.
void check_count(const TensorImpl& impl, std::int64_t parts, const char* operation) {
  constexpr std::int64_t most = 1 << 24;
  if (parts > most) {
    fail<ValueError>(operation, fmt::format("{} parts were asked for, and at most {} are possible", parts, most),
                     detail::operands({{"it", &impl}}), "ask for fewer parts");
  }
}

/// The views of `lengths` indices each, one after the other.
std::vector<Tensor> parts_of(const Tensor& x, int dim, IntArrayRef lengths, Recorded kind) {
  const TensorImpl& impl = *x.impl();
  std::vector<Tensor> parts;
  parts.reserve(lengths.size());
  std::int64_t start = 0;
  for (const auto length : lengths) {
    auto sizes = impl.sizes;
    sizes[dim] = length;
    parts.push_back(
        detail::viewed(x, detail::make_view(impl, sizes, impl.strides, impl.offset + start * impl.strides[dim]), kind,
                       detail::Sliced{dim, start, 1}));
    start += length;
  }
  return parts;
}

/// As many parts of `length` as fill `size`, of which the last may be shorter; one of size 0 if there is nothing.
std::vector<std::int64_t> equal_lengths(std::int64_t size, std::int64_t length) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t start = 0; start < size; start += length) lengths.push_back(std::min(length, size - start));
  if (lengths.empty()) lengths.push_back(0);
  return lengths;
}

}  // namespace

Tensor TensorMembers::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
  const TensorImpl& impl = impl_of(self(), "narrow");
  const auto it = detail::operands({{"it", &impl}});
  if (impl.sizes.count == 0) {
    fail<ShapeError>("narrow", "narrow() cannot be applied to a 0-dim tensor.", it,
                     "add a dimension first, with unsqueeze");
  }
  if (length < 0) fail<ValueError>("narrow", "narrow(): length must be non-negative.", it, "give the count of indices");
  const int at = detail::wrap_dimension(dim, impl.sizes.count, "narrow");
  const std::int64_t size = impl.sizes[at];
  if (start < -size || start > size) {
    fail<IndexError>(
        "narrow",
        fmt::format("start out of range (expected to be in range of [{}, {}], but got {})", -size, size, start), it);
  }
  const std::int64_t first = start < 0 ? start + size : start;
  if (first > size - length) {
    fail<ShapeError>("narrow",
                     fmt::format("start ({}) + length ({}) exceeds dimension size ({}).", first, length, size), it,
                     "take fewer indices");
  }
  return self().slice(at, first, first + length);
}

std::vector<Tensor> TensorMembers::split(std::int64_t split_size, std::int64_t dim) const {
  const TensorImpl& impl = impl_of(self(), "split");
  const auto it = detail::operands({{"it", &impl}});
  const int at = divided_dimension(impl, dim, "split");
  const std::int64_t size = impl.sizes[at];
  if (split_size < 0) {
    fail<ValueError>("split",
                     fmt::format("split expects split_size be non-negative, but got split_size={}", split_size), it,
                     "give the size of a part");
  }
  if (split_size == 0 && size != 0) {
    fail<ValueError>("split",
                     fmt::format("split_size can only be 0 if dimension size is 0, but got dimension size of {}", size),
                     it, "give the size of a part");
  }
  if (size > 0) check_count(impl, (size - 1) / split_size + 1, "split");
  return parts_of(self(), at, equal_lengths(size, split_size), Recorded::SplitBackward0);
}

std::vector<Tensor> TensorMembers::split(IntArrayRef split_sizes, std::int64_t dim) const {
  return split_with_sizes(split_sizes, dim);
}

std::vector<Tensor> TensorMembers::split_with_sizes(IntArrayRef split_sizes, std::int64_t dim) const {
  const TensorImpl& impl = impl_of(self(), "split_with_sizes");
  const auto it = detail::operands({{"it", &impl}});
  const int at = divided_dimension(impl, dim, "split_with_sizes");
  std::int64_t left = impl.sizes[at];
  for (const auto length : split_sizes) {
    if (length < 0) {
      fail<ValueError>("split_with_sizes",
                       fmt::format("split_with_sizes expects split_sizes have only non-negative entries, but got "
                                   "split_sizes={}",
                                   detail::text(split_sizes)),
                       it, "give the size of each part");
    }
    left = left < 0 ? left : left - std::min(length, left + 1);
  }
  if (left != 0) {
    fail<ShapeError>("split_with_sizes",
                     fmt::format("split_with_sizes expects split_sizes to sum exactly to {} (input tensor's size at "
                                 "dimension {}), but got split_sizes={}",
                                 impl.sizes[at], at, detail::text(split_sizes)),
                     it, "give the size of each part");
  }
  return parts_of(self(), at, split_sizes, Recorded::SplitWithSizesBackward0);
}

std::vector<Tensor> TensorMembers::chunk(std::int64_t chunks, std::int64_t dim) const {
  const TensorImpl& impl = impl_of(self(), "chunk");
  const int at = divided_dimension(impl, dim, "chunk");
  if (chunks <= 0) {
    fail<ValueError>("chunk", fmt::format("chunk expects `chunks` to be greater than 0, got: {}", chunks),
                     detail::operands({{"it", &impl}}), "give the count of parts");
  }
  const std::int64_t size = impl.sizes[at];
  if (size == 0) {
    check_count(impl, chunks, "chunk");
    return split_with_sizes(std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 0), at);
  }
  return split(size / chunks + (size % chunks != 0 ? 1 : 0), at);
}

std::vector<Tensor> TensorMembers::unbind(std::int64_t dim) const {
  const TensorImpl& impl = impl_of(self(), "unbind");
  if (impl.sizes.count == 0) {
    fail<IndexError>("unbind", fmt::format("Dimension specified as {} but tensor has no dimensions", dim),
                     detail::operands({{"it", &impl}}), "add a dimension first, with unsqueeze");
  }
  const int at = detail::wrap_dimension(dim, impl.sizes.count, "unbind");
  check_count(impl, impl.sizes[at], "unbind");
  detail::Dimensions sizes;
  detail::Dimensions strides;
  for (int i = 0; i < impl.sizes.count; ++i) {
    if (i == at) continue;
    sizes[sizes.count++] = impl.sizes[i];
    strides[strides.count++] = impl.strides[i];
  }
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < impl.sizes[at]; ++i) {
    parts.push_back(detail::viewed(self(), detail::make_view(impl, sizes, strides, impl.offset + i * impl.strides[at]),
                                   Recorded::UnbindBackward0, detail::Sliced{at, i, 1}));
  }
  return parts;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void UnbindBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  results[0] = zeros(operation.inputs[0].sizes.ref(), g.options());
  const auto& [dim, index, step] = state_of<Sliced>(operation);
  results[0].select(dim, index).copy_(g);
}

void SplitBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  SliceBackward0(operation, g, results);
}
void SplitWithSizesBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  SliceBackward0(operation, g, results);
}

}  // namespace d2l::detail::derivatives
