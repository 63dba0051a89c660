// SPDX-License-Identifier: MIT
#include "array_ops/advanced_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "array_ops/positions.h"
#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/lines.h"
#include "ops/operands.h"
#include "tensor/copies.h"

namespace d2l::detail {

namespace {

/// Dimensions that one tensor indexes: one for integers, as many as a mask has.
struct Group {
  int first = 0;
  int count = 1;
  std::int64_t size = 1;  ///< the product of their sizes
  Tensor index;           ///< int64
  bool is_mask = false;
  int number = 0;  ///< among the indices, of which a mask counts as one for each dimension; PyTorch's errors have it
};

std::string self_and_index(const TensorImpl& x, const TensorImpl& index) {
  return operands({{"self", &x}, {"index", &index}});
}

bool is_mask(const TensorImpl& index) { return index.dtype == kBool || index.dtype == kByte; }

void check_mask(const TensorImpl& x, const TensorImpl& mask, int first) {
  for (int i = 0; i < mask.sizes.count; ++i) {
    if (mask.sizes[i] == x.sizes[first + i]) continue;
    fail<IndexError>("index",
                     fmt::format("The shape of the mask {} at index {} does not match the shape of the indexed tensor "
                                 "{} at index {}",
                                 text(mask.sizes.ref()), i, text(x.sizes.ref()), first + i),
                     self_and_index(x, mask), "give a mask of the sizes of the dimensions that it indexes");
  }
}

/// The dimensions that each tensor indexes. A mask of no dimensions cannot be here.
std::vector<Group> groups_of(const Tensor& x, const std::vector<Tensor>& indices, const char* operation) {
  const TensorImpl& impl = impl_of(x, operation);
  std::vector<Group> groups;
  int dim = 0;
  for (const Tensor& index : indices) {
    if (!index.defined()) {
      ++dim;
      continue;
    }
    const TensorImpl& places = impl_of(index, operation);
    if (isFloatingType(places.dtype)) {
      fail<TypeError>(operation, "tensors used as indices must be long, int, byte or bool tensors",
                      self_and_index(impl, places), "convert them with to(kLong)");
    }
    Group group{dim, is_mask(places) ? places.sizes.count : 1, 1, index, is_mask(places)};
    dim += group.count;
    if (dim > impl.sizes.count) {
      fail<IndexError>(operation, fmt::format("too many indices for tensor of dimension {}", impl.sizes.count),
                       self_and_index(impl, places), "index fewer dimensions");
    }
    same_device(operation, {&impl, &places}, {"self", "indices", ""});
    if (group.is_mask) check_mask(impl, places, group.first);
    for (int i = group.first; i < dim; ++i) group.size *= impl.sizes[i];
    if (!groups.empty()) group.number = groups.back().number + groups.back().count;
    groups.push_back(std::move(group));
  }
  for (Group& group : groups) {
    group.index =
        group.is_mask ? positions_of(converted(group.index, kBool), operation) : converted(group.index, kLong);
  }
  return groups;
}

/// The shape that all indices broadcast to.
Dimensions shape_of(const std::vector<Group>& groups, const char* operation) {
  Dimensions shape;
  for (const Group& group : groups) {
    const Dimensions& own = group.index.impl()->sizes;
    bool fits = true;
    Dimensions both;
    both.count = std::max(shape.count, own.count);
    for (int i = 1; i <= both.count; ++i) {
      const std::int64_t a = i > shape.count ? 1 : shape[shape.count - i];
      const std::int64_t b = i > own.count ? 1 : own[own.count - i];
      fits = fits && (a == b || a == 1 || b == 1);
      both[both.count - i] = a == 1 ? b : a;
    }
    if (fits) {
      shape = both;
      continue;
    }
    std::vector<std::string> shapes;
    for (const Group& one : groups) {  // a mask counts as an index for each of its dimensions
      shapes.insert(shapes.end(), static_cast<std::size_t>(one.count), text(one.index.sizes()));
    }
    fail<IndexError>(operation,
                     fmt::format("shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                                 fmt::join(shapes, ", ")),
                     {}, "give indices of one shape, or of shapes that broadcast");
  }
  return shape;
}

[[noreturn]] void fail_bounds(std::int64_t index, int dim, std::int64_t size, const char* operation) {
  fail<IndexError>(operation, fmt::format("index {} is out of bounds for dimension {} with size {}", index, dim, size),
                   {}, "an index is below the size, or negative and counted from the end");
}

/// A number that no dimension has as an index: a GPU refuses it.
constexpr std::int64_t refused = std::numeric_limits<std::int64_t>::max();

/// Several indices as one, of the dimensions as one. An index out of range is an IndexError on the CPU; on a GPU the
/// position is one that is refused there.
Tensor joined(const std::vector<Group>& groups, const Dimensions& shape, const char* operation) {
  Tensor sum;
  Tensor wrong;
  for (const Group& group : groups) {
    Tensor index = group.index;
    if (!group.is_mask) {
      const Tensor bad = index.lt(-group.size).logical_or(index.ge(group.size));
      if (index.device().is_cpu()) {
        if (bad.any().item<bool>()) {
          fail_bounds(index.masked_select(bad)[0].item<std::int64_t>(), group.number, group.size, operation);
        }
      } else {
        wrong = wrong.defined() ? wrong.logical_or(bad) : bad;
      }
      index = index + index.lt(0).to(kLong) * group.size;
    }
    sum = sum.defined() ? sum * group.size + index : index;
  }
  if (wrong.defined()) sum = sum.masked_fill(wrong.broadcast_to(sum.sizes()), refused);
  return sum.broadcast_to(shape.ref()).reshape({-1});
}

void check_dimensions(int count, const char* operation) {
  if (count <= max_dimensions) return;
  fail<ShapeError>(operation, fmt::format("only tensors with up to {} dims are supported", max_dimensions), {},
                   "index with tensors of fewer dimensions");
}

}  // namespace

Places places_of(const Tensor& x, const std::vector<Tensor>& indices, const char* operation, bool counted) {
  const NoGradGuard unrecorded;
  const auto groups = groups_of(x, indices, operation);
  const Dimensions shape = shape_of(groups, operation);
  const Dimensions& sizes = x.impl()->sizes;
  // The places come where the indexed dimensions are, or first if others are between them.
  bool adjacent = true;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    adjacent = adjacent && groups[i - 1].first + groups[i - 1].count == groups[i].first;
  }
  std::vector<bool> indexed(static_cast<std::size_t>(max_dimensions), false);
  int total = 0;
  for (const Group& group : groups) {
    const auto begin = indexed.begin() + group.first;
    std::fill(begin, begin + group.count, true);
    total += group.count;
  }
  Places places;
  places.at = adjacent ? groups.front().first : 0;
  check_dimensions(sizes.count - total + shape.count, operation);
  const auto append = [&](int dim) {
    places.order[places.order.count++] = dim;
    places.permuted[places.permuted.count++] = sizes[dim];
  };
  const auto append_whole = [&](int from, int to) {
    for (int dim = from; dim < to; ++dim) {
      if (indexed[static_cast<std::size_t>(dim)]) continue;
      append(dim);
      places.merged[places.merged.count++] = sizes[dim];
      places.result[places.result.count++] = sizes[dim];
    }
  };
  append_whole(0, places.at);
  std::int64_t product = 1;
  for (const Group& group : groups) {
    for (int i = 0; i < group.count; ++i) append(group.first + i);
    product *= group.size;
  }
  places.merged[places.merged.count++] = product;
  for (int i = 0; i < shape.count; ++i) places.result[places.result.count++] = shape[i];
  append_whole(places.at, sizes.count);
  if (product == 0 && count_elements(shape, operation) > 0) {
    fail<IndexError>(operation, "index is out of bounds for dimension with size 0",
                     self_and_index(*x.impl(), *groups.front().index.impl()), "index a dimension that has elements");
  }
  const bool as_given = groups.size() == 1 && (groups[0].is_mask || !counted);
  places.positions = as_given ? groups[0].index.reshape({-1}) : joined(groups, shape, operation);
  places.taken = places.merged;
  places.taken[places.at] = places.positions.numel();
  return places;
}

Tensor taken_at(const Tensor& x, const Places& places) {
  return unrecorded([&] {
    const Tensor merged = x.permute(places.order.ref()).reshape(places.merged.ref());
    return take(merged, {places.positions, places.at, true, IndexUse::index, places.named_dim})
        .view(places.result.ref());
  });
}

}  // namespace d2l::detail
