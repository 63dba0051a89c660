// SPDX-License-Identifier: MIT
// Elements at other places: index_select, gather, masked_select, nonzero, flip, roll.
#include <fmt/format.h>

#include <numeric>

#include "array_ops/positions.h"
#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/lines.h"
#include "ops/operands.h"
#include "tensor/copies.h"
#include "tensor/reduced_dimensions.h"

namespace d2l {

Tensor detail::positions_of(const Tensor& mask, const char* operation) {
  const Tensor flat = mask.reshape({-1});
  const auto count = single_value(flat.sum(), operation).toLong();
  return flat.argsort(0, true).slice(0, 0, count).clone();
}

Tensor detail::coordinate_of(const Tensor& positions, IntArrayRef sizes, int dim) {
  std::int64_t inner = 1;
  for (std::size_t i = static_cast<std::size_t>(dim) + 1; i < sizes.size(); ++i)
    inner *= std::max<std::int64_t>(sizes[i], 1);
  const Tensor outer = inner == 1 ? positions : positions.floor_divide(inner);
  return dim == 0 ? outer : outer.remainder(std::max<std::int64_t>(sizes[static_cast<std::size_t>(dim)], 1));
}

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::IndexUse;
using detail::Recorded;
using detail::TensorImpl;

namespace {

struct PlacesState {
  int dim;
};
struct MaskedSelectState {
  Dimensions sizes;  ///< the shape that the input was broadcast to
};
struct FlipState {
  Dimensions dims;
};
struct RollState {
  Dimensions dims;
  std::vector<std::int64_t> shifts;
};

/// `result`, the elements of `x` at `index` along a dimension, with its record.
Tensor recorded_places(Tensor result, Recorded kind, const Tensor& x, const Tensor& index, int dim) {
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(kind, {&x});
  detail::save(*record, 0, index);
  record->state = PlacesState{dim};
  detail::attach(result, std::move(record));
  return result;
}

std::string self_and_index(const TensorImpl& x, const TensorImpl& index) {
  return detail::operands({{"self", &x}, {"index", &index}});
}

/// PyTorch's sentence for an index whose sizes do not fit those of `x`; empty if they do.
std::string gather_problem(const TensorImpl& x, const TensorImpl& index, int dim) {
  if (std::max(x.sizes.count, 1) != std::max(index.sizes.count, 1)) {
    return "Index tensor must have the same number of dimensions as input tensor";
  }
  for (int i = 0; i < std::min(x.sizes.count, index.sizes.count); ++i) {
    if (i == dim || index.sizes[i] <= x.sizes[i]) continue;
    return fmt::format(
        "Size does not match at dimension {} expected index {} to be no larger than self {} apart from "
        "dimension {}",
        i, detail::text(index.sizes.ref()), detail::text(x.sizes.ref()), dim);
  }
  return "";
}

}  // namespace

Tensor TensorMembers::index_select(std::int64_t dim, const Tensor& index) const {
  const TensorImpl& impl = impl_of(self(), "index_select");
  const TensorImpl& places = impl_of(index, "index_select");
  const int at = detail::wrap_dimension(dim, impl.sizes.count, "index_select");
  if (places.sizes.count > 1) {
    fail<IndexError>("index_select", "index_select(): Index is supposed to be a vector", self_and_index(impl, places),
                     "flatten the index, or use index or gather");
  }
  if (impl.sizes.count == 0 && places.numel != 1) {
    fail<ShapeError>(
        "index_select",
        fmt::format("index_select(): Index to scalar can have only 1 value, got {} value(s)", places.numel),
        self_and_index(impl, places), "unsqueeze self first");
  }
  if (places.dtype != kLong && places.dtype != kInt) {
    fail<TypeError>("index_select", "index_select(): Expected dtype int32 or int64 for index",
                    self_and_index(impl, places), "convert the index with to(kLong)");
  }
  detail::same_device("index_select", {&impl, &places}, {"self", "index", ""});
  const Tensor list = detail::converted(index, kLong);
  auto result = detail::take(self(), {list, at, true, IndexUse::index_select});
  return recorded_places(std::move(result), Recorded::IndexSelectBackward0, self(), list, at);
}

Tensor TensorMembers::gather(std::int64_t dim, const Tensor& index) const {
  const TensorImpl& impl = impl_of(self(), "gather");
  const TensorImpl& places = impl_of(index, "gather");
  const int at = detail::wrap_dimension(dim, impl.sizes.count, "gather");
  if (places.numel > 0 && places.dtype != kLong) {
    fail<TypeError>("gather", "gather(): Expected dtype int64 for index", self_and_index(impl, places),
                    "convert the index with to(kLong)");
  }
  const auto problem = places.numel > 0 ? gather_problem(impl, places, at) : "";
  if (!problem.empty()) {
    fail<ShapeError>("gather", problem, self_and_index(impl, places),
                     "the index has the sizes of the result, which differ along the dimension only");
  }
  detail::same_device("gather", {&impl, &places}, {"self", "index", ""});
  if (places.numel == 0) {
    auto nothing = empty(places.sizes.ref(), options().requires_grad(false));
    if (detail::is_recorded(self())) detail::attach(nothing, detail::record(Recorded::GatherBackward0, {&self()}));
    return nothing;
  }
  // A tensor without dimensions is a vector of one element.
  const Tensor from = detail::unrecorded([&] { return impl.sizes.count == 0 ? self().unsqueeze(0) : self(); });
  const Tensor list = detail::unrecorded([&] { return places.sizes.count == 0 ? index.unsqueeze(0) : index; });
  auto result = detail::take(from, {list, at, false, IndexUse::gather});
  if (places.sizes.count == 0) result = detail::unrecorded([&, &all = result] { return all.view({}); });
  return recorded_places(std::move(result), Recorded::GatherBackward0, self(), list, at);
}

Tensor TensorMembers::masked_select(const Tensor& mask) const {
  const TensorImpl& impl = impl_of(self(), "masked_select");
  const TensorImpl& truths = impl_of(mask, "masked_select");
  if (truths.dtype != kBool) {
    fail<TypeError>("masked_select", "masked_select: expected BoolTensor for mask",
                    detail::operands({{"self", &impl}, {"mask", &truths}}), "compare first, for example x > 0");
  }
  const auto sizes = broadcast_shapes(impl, truths, "masked_select");
  detail::same_device("masked_select", {&impl, &truths}, {"self", "mask", ""});
  const Tensor list = detail::positions_of(detail::broadcast_view(truths, sizes), "masked_select");
  const Tensor all = detail::row_major(detail::broadcast_view(impl, sizes));
  auto result = detail::take(all.view({-1}), {list, 0, true, IndexUse::index});
  if (!detail::is_recorded(self())) return result;
  auto record = detail::record(Recorded::MaskedSelectBackward0, {&self()});
  detail::save(*record, 0, list);
  record->state = MaskedSelectState{sizes};
  detail::attach(result, std::move(record));
  return result;
}

Tensor TensorMembers::nonzero() const {
  const TensorImpl& impl = impl_of(self(), "nonzero");
  const Tensor positions =
      detail::unrecorded([&] { return detail::positions_of(detail::converted(self(), kBool), "nonzero"); });
  if (impl.sizes.count == 0) return positions.view({-1, 1}).slice(1, 0, 0);
  std::vector<Tensor> columns;
  for (int dim = 0; dim < impl.sizes.count; ++dim) {
    columns.push_back(detail::coordinate_of(positions, impl.sizes.ref(), dim));
  }
  return stack(columns, 1);
}

Tensor TensorMembers::flip(IntArrayRef dims) const {
  const TensorImpl& impl = impl_of(self(), "flip");
  auto set = dims.empty() ? detail::DimensionSet() : detail::named_dimensions(impl, dims, "flip");
  Tensor result = detail::alias_of(impl);
  for (int i = 0; i < impl.sizes.count; ++i) {
    if (!set[static_cast<std::size_t>(i)] || impl.sizes[i] < 2) continue;
    const Tensor backwards = arange(impl.sizes[i] - 1, -1, -1, options().dtype(kLong));
    result = detail::take(result, {backwards, i, true, IndexUse::index_select});
  }
  if (result.impl()->storage == impl.storage) result = result.clone();
  if (!detail::is_recorded(self())) return result;
  auto record = detail::record(Recorded::FlipBackward0, {&self()});
  FlipState flipped;
  for (int i = 0; i < impl.sizes.count; ++i) {
    if (set[static_cast<std::size_t>(i)]) flipped.dims[flipped.dims.count++] = i;
  }
  record->state = flipped;
  detail::attach(result, std::move(record));
  return result;
}

Tensor TensorMembers::roll(IntArrayRef shifts, IntArrayRef dims) const {
  const TensorImpl& impl = impl_of(self(), "roll");
  const auto it = detail::operands({{"it", &impl}});
  if (shifts.empty()) fail<ValueError>("roll", "`shifts` required", it, "give the count of places");
  if (dims.empty() && shifts.size() == 1) return flatten().roll(shifts, 0).view(impl.sizes.ref());
  if (shifts.size() != dims.size()) {
    fail<ValueError>("roll",
                     fmt::format("shifts and dimensions must align. shifts: {}, dims:{}", shifts.size(), dims.size()),
                     it, "give a shift for each dimension");
  }
  if (impl.sizes.count == 0) {
    fail<IndexError>("roll", fmt::format("Dimension specified as {} but tensor has no dimensions", dims[0]), it);
  }
  Dimensions order;
  std::vector<std::int64_t> distances;
  Tensor result = detail::alias_of(impl);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const int at = detail::wrap_dimension(dims[i], impl.sizes.count, "roll");
    order[order.count++] = at;
    const std::int64_t size = impl.sizes[at];
    const std::int64_t shift = size == 0 ? 0 : (shifts[i] % size + size) % size;
    distances.push_back(shift);
    if (shift == 0) continue;
    result = detail::unrecorded([&, &all = result] {
      return cat({all.slice(at, size - shift), all.slice(at, 0, size - shift)}, at);
    });
  }
  if (result.impl()->storage == impl.storage) result = result.clone();
  if (!detail::is_recorded(self())) return result;
  auto record = detail::record(Recorded::RollBackward0, {&self()});
  record->state = RollState{order, std::move(distances)};
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace d2l

namespace d2l::detail::derivatives {

namespace {

/// Adds the gradient of each element to that of the element that it was read from.
Tensor added_back(const RecordedOperation& operation, const Tensor& g, bool shared, IndexUse use) {
  const int dim = state_of<PlacesState>(operation).dim;
  const auto& sizes = operation.inputs[0].sizes;
  return index_add(g, sizes, {operation.saved(0), dim, shared, use});
}

/// The same, for an index of positions in an input whose first dimensions count as one; they are `rows`.
Tensor added_to_rows(const RecordedOperation& operation, const Tensor& g, const Dimensions& rows) {
  auto sizes = rows;
  sizes[0] = operation.saved(0).numel();
  return index_add(g.reshape(sizes.ref()), rows, {operation.saved(0), 0, true, IndexUse::index});
}

}  // namespace

D2L_DERIVATIVE(IndexSelectBackward0, added_back(operation, g, true, IndexUse::index_select))
/// No index was saved if there was none.
D2L_DERIVATIVE(GatherBackward0, operation.has_saved ? added_back(operation, g, false, IndexUse::gather)
                                                    : zeros(operation.inputs[0].sizes.ref(), g.options()))
/// backward() sums over the dimensions in which the input was broadcast.
void MaskedSelectBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Dimensions& sizes = state_of<MaskedSelectState>(operation).sizes;
  const Dimensions rows{{count_elements(sizes, "masked_select")}, 1};
  results[0] = added_to_rows(operation, g, rows).reshape(sizes.ref());
}

D2L_DERIVATIVE(FlipBackward0, g.flip(state_of<FlipState>(operation).dims.ref()))
void RollBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  auto [dims, shifts] = state_of<RollState>(operation);
  for (auto& shift : shifts) shift = -shift;
  results[0] = g.roll(shifts, dims.ref());
}

}  // namespace d2l::detail::derivatives
