// SPDX-License-Identifier: MIT
// x[…] by the library's own views: operator[], select, slice, unsqueeze.
#include "python_subset/evaluator.h"

namespace python_subset {
namespace {

std::int64_t dimensions_used(const std::vector<Value>& indices) {
  std::int64_t count = 0;
  for (const auto& index : indices) count += index.is<None>() || index.is<Ellipsis>() ? 0 : 1;
  return count;
}

d2l::Tensor apply_index(const d2l::Tensor& x, const Value& index, std::int64_t dimension) {
  if (index.is<std::int64_t>()) return x.select(dimension, index.as<std::int64_t>());
  if (index.is<None>()) return x.unsqueeze(dimension);
  if (index.is<Ellipsis>()) return x;
  if (!index.is<Slice>()) throw Unsupported("an index that is no integer");
  const auto& slice = index.as<Slice>();
  return x.slice(dimension, slice.start, slice.stop, slice.step.value_or(1));
}

}  // namespace

d2l::Tensor index_tensor(const d2l::Tensor& self, const Value& index) {
  if (index.is<std::int64_t>()) return self[index.as<std::int64_t>()];
  const auto indices = index.is<Sequence>() && index.as<Sequence>().kind == SequenceKind::tuple
                           ? index.as<Sequence>().items
                           : std::vector<Value>{index};
  const auto used = dimensions_used(indices);
  if (used > self.dim()) throw Unsupported("an index for more dimensions than there are");
  // Each index meets the dimension that it has in `self` when the last one goes first.
  std::vector<std::int64_t> dimensions;
  std::int64_t next = 0;
  for (const auto& one : indices) {
    dimensions.push_back(next);
    if (!one.is<None>()) next += one.is<Ellipsis>() ? self.dim() - used : 1;
  }
  d2l::Tensor part = self;
  for (std::size_t i = indices.size(); i-- > 0;) part = apply_index(part, indices[i], dimensions[i]);
  return part;
}

}  // namespace python_subset
