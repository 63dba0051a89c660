// SPDX-License-Identifier: MIT
// Order along a dimension: sort, topk and argsort.
#include "autograd/recording.h"
#include "d2l/ops.h"
#include "ops/lines.h"

namespace d2l {

using detail::impl_of;
using detail::Recorded;

namespace {

/// `values`, the elements of `x` at `indices` along `dim`, with their record.
Tensor recorded_order(Tensor values, Recorded kind, const Tensor& x, const Tensor& indices, int dim) {
  if (!detail::is_recorded(x)) return values;
  auto record = detail::record(kind, {&x});
  detail::save(*record, 0, indices);
  record->integers[0] = dim;
  detail::attach(values, std::move(record));
  return values;
}

}  // namespace

std::tuple<Tensor, Tensor> TensorMembers::sort(std::int64_t dim, bool descending) const {
  const int at = detail::wrap_dimension(dim, impl_of(self(), "sort").sizes.count, "sort");
  auto [values, indices] = detail::sorted(self(), at, descending);
  return {recorded_order(values, Recorded::SortBackward0, self(), indices, at), indices};
}

Tensor TensorMembers::argsort(std::int64_t dim, bool descending) const {
  const int at = detail::wrap_dimension(dim, impl_of(self(), "argsort").sizes.count, "argsort");
  return std::get<1>(detail::sorted(self(), at, descending));
}

std::tuple<Tensor, Tensor> TensorMembers::topk(std::int64_t k, std::int64_t dim, bool largest, bool /*sorted*/) const {
  const auto& impl = impl_of(self(), "topk");
  const int at = detail::wrap_dimension(dim, impl.sizes.count, "topk");
  const std::int64_t size = impl.sizes.count == 0 ? 1 : impl.sizes[at];
  if (k < 0 || k > size) {
    detail::fail<IndexError>("topk", "selected index k out of range", detail::operands({{"it", &impl}}),
                             "ask for at most as many elements as the dimension has");
  }
  auto [values, indices] = detail::first_sorted(self(), at, largest, impl.sizes.count == 0 ? 1 : k);
  return {recorded_order(values, Recorded::TopkBackward0, self(), indices, at), indices};
}

}  // namespace d2l
