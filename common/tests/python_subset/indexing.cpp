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

bool is_whole(const Slice& slice) { return !slice.start && !slice.stop && slice.step.value_or(1) == 1; }

d2l::Tensor slice_tensor(const d2l::Tensor& x, const Slice& slice, std::int64_t dimension) {
  return x.slice(dimension, slice.start, slice.stop, slice.step.value_or(1));
}

/// Selects by each integer alone: an error then names its dimension of `x`.
void check_integers(const d2l::Tensor& x, const std::vector<Value>& indices, std::int64_t used) {
  const d2l::NoGradGuard unrecorded;
  std::int64_t dimension = 0;
  for (const auto& index : indices) {
    if (index.is<std::int64_t>()) x.select(dimension, index.as<std::int64_t>());
    if (!index.is<None>()) dimension += index.is<Ellipsis>() ? x.dim() - used : 1;
  }
}

}  // namespace

d2l::Tensor index_tensor(const d2l::Tensor& self, const Value& index) {
  if (index.is<std::int64_t>()) return self[index.as<std::int64_t>()];
  if (index.is<Slice>()) return slice_tensor(self, index.as<Slice>(), 0);
  const auto indices = index.is<Sequence>() && index.as<Sequence>().kind == SequenceKind::tuple
                           ? index.as<Sequence>().items
                           : std::vector<Value>{index};
  const auto used = dimensions_used(indices);
  if (used > self.dim()) throw Unsupported("an index for more dimensions than there are");
  check_integers(self, indices, used);
  d2l::Tensor part = self;
  std::int64_t dimension = 0;
  for (const auto& one : indices) {
    if (one.is<std::int64_t>()) {
      part = part.select(dimension, one.as<std::int64_t>());
    } else if (one.is<None>()) {
      part = part.unsqueeze(dimension++);
    } else if (one.is<Ellipsis>()) {
      dimension += self.dim() - used;
    } else if (!one.is<Slice>()) {
      throw Unsupported("an index that is no integer");
    } else if (is_whole(one.as<Slice>())) {
      ++dimension;
    } else {
      part = slice_tensor(part, one.as<Slice>(), dimension++);
    }
  }
  return part;
}

}  // namespace python_subset
