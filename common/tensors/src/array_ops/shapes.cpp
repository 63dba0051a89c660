// SPDX-License-Identifier: MIT
// Views that join, exchange or divide dimensions: flatten, unflatten, T, mT, movedim, broadcast_to.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autograd/recording.h"
#include "d2l/ops.h"
#include "ops/elementwise_launch.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::TensorImpl;
using detail::wrap_dimension;

Tensor TensorMembers::flatten(std::int64_t start_dim, std::int64_t end_dim) const {
  const TensorImpl& impl = impl_of(self(), "flatten");
  const int first = wrap_dimension(start_dim, impl.sizes.count, "flatten");
  const int last = wrap_dimension(end_dim, impl.sizes.count, "flatten");
  if (first > last) {
    fail<ShapeError>("flatten", "flatten() has invalid args: start_dim cannot come after end_dim",
                     detail::operands({{"it", &impl}}), "name the first dimension first");
  }
  if (impl.sizes.count == 0) return self().reshape({1});
  if (first == last) return self();
  Dimensions sizes;
  for (int i = 0; i < impl.sizes.count; ++i) {
    if (i > first && i <= last) {
      sizes[sizes.count - 1] *= impl.sizes[i];
    } else {
      sizes[sizes.count++] = impl.sizes[i];
    }
  }
  return self().reshape(sizes.ref());
}

Tensor TensorMembers::unflatten(std::int64_t dim, IntArrayRef sizes) const {
  const TensorImpl& impl = impl_of(self(), "unflatten");
  const int at = wrap_dimension(dim, impl.sizes.count, "unflatten");
  if (sizes.empty()) {
    fail<ShapeError>("unflatten", "unflatten: sizes must be non-empty", detail::operands({{"it", &impl}}),
                     "give the sizes whose product is that of the dimension");
  }
  const std::int64_t size = impl.sizes.count == 0 ? 1 : impl.sizes[at];
  const auto inferred = std::count(sizes.begin(), sizes.end(), -1);
  std::int64_t known = 1;
  bool fits = inferred <= 1;
  for (const auto part : sizes) {
    if (part != -1) fits = fits && part >= 0 && !__builtin_mul_overflow(known, part, &known);
  }
  fits = fits && (inferred == 0 ? known == size : known > 0 && size % known == 0);
  if (!fits) {
    fail<ShapeError>("unflatten",
                     fmt::format("unflatten: Provided sizes {} don't multiply up to the size of dim {} ({}) in the "
                                 "input tensor",
                                 detail::text(sizes), at, size),
                     detail::operands({{"it", &impl}}), "give sizes with that product, one of which may be -1");
  }
  std::vector<std::int64_t> parts;
  for (int i = 0; i < at; ++i) parts.push_back(impl.sizes[i]);
  for (const auto part : sizes) parts.push_back(part == -1 ? size / known : part);
  for (int i = at + 1; i < impl.sizes.count; ++i) parts.push_back(impl.sizes[i]);
  return self().view(parts);
}

Tensor TensorMembers::T() const {
  const TensorImpl& impl = impl_of(self(), "T");
  Dimensions order;
  for (int i = impl.sizes.count - 1; i >= 0; --i) order[order.count++] = i;
  return self().permute(order.ref());
}

Tensor TensorMembers::numpy_T() const { return T(); }

Tensor TensorMembers::mT() const {
  const TensorImpl& impl = impl_of(self(), "mT");
  if (impl.sizes.count < 2) {
    fail<ShapeError>("mT",
                     fmt::format("tensor.mT is only supported on matrices or batches of matrices. Got {}-D tensor.",
                                 impl.sizes.count),
                     detail::operands({{"it", &impl}}), "add a dimension first, with unsqueeze");
  }
  return self().transpose(-2, -1);
}

Tensor TensorMembers::movedim(IntArrayRef source, IntArrayRef destination) const {
  const TensorImpl& impl = impl_of(self(), "movedim");
  const int count = impl.sizes.count;
  if (source.size() != destination.size()) {
    fail<ShapeError>("movedim",
                     fmt::format("movedim: Invalid source or destination dims: source ({} dims) should contain the "
                                 "same number of dims as destination ({} dims)",
                                 detail::text(source), detail::text(destination)),
                     detail::operands({{"it", &impl}}), "give a place for each dimension");
  }
  const auto wrapped = [&](IntArrayRef dims, const char* name) {
    std::vector<int> result;
    for (const auto dim : dims) {
      const int at = wrap_dimension(dim, count, "movedim");
      if (std::find(result.begin(), result.end(), at) != result.end()) {
        fail<ShapeError>("movedim", fmt::format("movedim: repeated dim in `{}` ({})", name, detail::text(dims)),
                         detail::operands({{"it", &impl}}), "name each dimension once");
      }
      result.push_back(at);
    }
    return result;
  };
  const auto from = wrapped(source, "source");
  const auto to = wrapped(destination, "destination");
  if (count == 0) return self().permute({});
  Dimensions order;
  order.count = count;
  std::fill_n(order.values.begin(), count, -1);
  for (std::size_t i = 0; i < from.size(); ++i) order[to[i]] = from[i];
  int next = 0;
  for (int i = 0; i < count; ++i) {
    if (order[i] != -1) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    order[i] = next++;
  }
  return self().permute(order.ref());
}

Tensor TensorMembers::movedim(std::int64_t source, std::int64_t destination) const {
  return movedim(IntArrayRef(source), IntArrayRef(destination));
}

Tensor TensorMembers::swapaxes(std::int64_t axis0, std::int64_t axis1) const { return self().transpose(axis0, axis1); }
Tensor TensorMembers::swapdims(std::int64_t dim0, std::int64_t dim1) const { return self().transpose(dim0, dim1); }
Tensor TensorMembers::view_as(const Tensor& other) const { return self().view(other.sizes()); }
Tensor TensorMembers::expand_as(const Tensor& other) const { return self().expand(other.sizes()); }
Tensor TensorMembers::type_as(const Tensor& other) const { return self().to(other); }
Tensor TensorMembers::broadcast_to(IntArrayRef sizes) const {
  impl_of(self(), "broadcast_to");
  return self().expand(sizes);
}

}  // namespace d2l
