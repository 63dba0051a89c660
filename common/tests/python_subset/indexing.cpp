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

}  // namespace

d2l::Tensor index_tensor(const d2l::Tensor& self, const Value& index) {
  if (index.is<std::int64_t>()) return self[index.as<std::int64_t>()];
  const auto indices = index.is<Sequence>() && index.as<Sequence>().kind == SequenceKind::tuple
                           ? index.as<Sequence>().items
                           : std::vector<Value>{index};
  const auto used = dimensions_used(indices);
  if (used > self.dim()) throw Unsupported("an index for more dimensions than there are");
  d2l::Tensor part = self;
  std::int64_t dimension = 0;
  for (const auto& one : indices) {
    if (one.is<std::int64_t>()) {
      part = part.select(dimension, one.as<std::int64_t>());
    } else if (one.is<Slice>()) {
      const auto& slice = one.as<Slice>();
      part = part.slice(dimension++, slice.start, slice.stop, slice.step.value_or(1));
    } else if (one.is<None>()) {
      part = part.unsqueeze(dimension++);
    } else if (one.is<Ellipsis>()) {
      dimension += self.dim() - used;
    } else {
      throw Unsupported("an index that is no integer");
    }
  }
  return part;
}

}  // namespace python_subset
