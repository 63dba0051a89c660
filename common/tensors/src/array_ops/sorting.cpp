// SPDX-License-Identifier: MIT
// Order along a dimension: sort, topk and argsort.
#include "autograd/recording.h"
#include "d2l/ops.h"
#include "ops/lines.h"

namespace d2l {

using detail::impl_of;
using detail::Recorded;

namespace {

struct OrderState {
  int dim;
};

/// `values`, the elements of `x` at `indices` along `dim`, with their record.
Tensor recorded_order(Tensor values, Recorded kind, const Tensor& x, const Tensor& indices, int dim) {
  if (!detail::is_recorded(x)) return values;
  auto record = detail::record(kind, {&x});
  detail::save(*record, 0, indices);
  record->state = OrderState{dim};
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

namespace d2l::detail::derivatives {

namespace {

/// Adds the gradient of each element to that of the element that it was read from.
Tensor unsorted(const RecordedOperation& operation, const Tensor& g) {
  const int dim = state_of<OrderState>(operation).dim;
  return index_add(g, operation.inputs[0].sizes, {operation.saved(0), dim, false, IndexUse::gather});
}

}  // namespace

D2L_DERIVATIVE(SortBackward0, unsorted(operation, g))
D2L_DERIVATIVE(TopkBackward0, unsorted(operation, g))

}  // namespace d2l::detail::derivatives
