// SPDX-License-Identifier: MIT
// Lists of indices: index and index_put_, by views for numbers and ranges, and by places for tensors.
#include "d2l/indexing.h"

#include <fmt/format.h>

#include <span>
#include <string_view>

#include "array_ops/advanced_index.h"
#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/lines.h"
#include "ops/operands.h"
#include "tensor/copies.h"
#include "tensor/in_place.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::Places;
using detail::Recorded;
using detail::TensorImpl;
using indexing::TensorIndex;
using Indices = std::span<const TensorIndex>;

indexing::TensorIndex::TensorIndex(const char* text) : kind_(Kind::ellipsis) {
  if (text != nullptr && std::string_view(text) == "...") return;
  fail<ValueError>(
      "index",
      fmt::format("Expected \"...\" to represent an ellipsis index, but got \"{}\"", text == nullptr ? "" : text), {},
      "name a range by Slice(start, stop)");
}

namespace {

struct IndexedState {
  Places places;
  bool accumulate = false;
};

/// The places without the positions, which the record saves.
IndexedState stateful(Places places, bool accumulate = false) {
  places.positions = Tensor();
  return {std::move(places), accumulate};
}

bool is_mask(ScalarType type) { return type == kBool || type == kByte; }

/// The dimensions of the tensor that the indices are for, without those that they add and that an ellipsis stands for.
std::int64_t specified(Indices indices) {
  std::int64_t count = 0;
  for (const TensorIndex& index : indices) {
    if (index.is_tensor()) {
      const TensorImpl& places = impl_of(index.tensor(), "index");
      count += is_mask(places.dtype) ? places.sizes.count : 1;
    } else if (index.is_integer() || index.is_slice()) {
      ++count;
    }
  }
  return count;
}

/// A view by the numbers, ranges and new dimensions of a list, and the tensors that index it, undefined for the
/// dimensions between them.
class Selection {
 public:
  Selection(const Tensor& x, Indices indices) : view_(x) {
    const std::int64_t rank = impl_of(x, "index").sizes.count;
    const std::int64_t named = specified(indices);
    if (named > rank) {
      fail<IndexError>("index", fmt::format("too many indices for tensor of dimension {}", rank),
                       detail::operands({{"self", x.impl().get()}}), "index fewer dimensions");
    }
    std::int64_t position = 0;
    for (const TensorIndex& index : indices) {
      if (index.is_integer()) {
        select(index.integer(), position);
      } else if (index.is_slice()) {
        slice(index.slice());
      } else if (index.is_ellipsis()) {
        skip(rank - named);
      } else if (index.is_none()) {
        view_ = view_.unsqueeze(dim_);
        skip(1);
      } else if (index.is_boolean()) {
        take_all_or_nothing(index.boolean());
      } else {
        take(index.tensor(), position);
      }
      ++position;
    }
  }

  [[nodiscard]] const Tensor& view() const noexcept { return view_; }
  [[nodiscard]] const std::vector<Tensor>& tensors() const noexcept { return tensors_; }

 private:
  void skip(std::int64_t count) {
    dim_ += count;
    if (!tensors_.empty()) tensors_.resize(tensors_.size() + static_cast<std::size_t>(count));
  }
  void select(std::int64_t index, std::int64_t position) {
    const std::int64_t size = view_.size(dim_);
    if (index < -size || index >= size) {
      fail<IndexError>("index",
                       fmt::format("index {} is out of bounds for dimension {} with size {}", index, position, size),
                       detail::operands({{"self", view_.impl().get()}}),
                       "an index is below the size, or negative and counted from the end");
    }
    view_ = view_.select(dim_, index);
  }
  void slice(const indexing::Slice& range) {
    if (range.step() <= 0) {
      fail<ValueError>("index", range.step() == 0 ? "slice step cannot be zero" : "step must be greater than zero", {},
                       "use flip() for the reverse order");
    }
    const bool whole =
        range.step() == 1 && range.start().value_or(0) == 0 && (!range.stop() || *range.stop() >= view_.size(dim_));
    if (!whole) view_ = view_.slice(dim_, range.start(), range.stop(), range.step());
    skip(1);
  }
  void add(Tensor index, std::int64_t dims) {
    if (tensors_.empty()) tensors_.resize(static_cast<std::size_t>(dim_));
    tensors_.push_back(std::move(index));
    dim_ += dims;
  }
  void take_all_or_nothing(bool all) {
    view_ = view_.unsqueeze(dim_);
    add(zeros({all ? 1 : 0}, view_.options().dtype(kLong).requires_grad(false)), 1);
  }
  void take(const Tensor& index, std::int64_t position) {
    const TensorImpl& impl = *index.impl();
    if (impl.sizes.count != 0 || isFloatingType(impl.dtype)) {
      add(index, is_mask(impl.dtype) ? impl.sizes.count : 1);
    } else if (is_mask(impl.dtype)) {
      take_all_or_nothing(detail::single_value(index, "index").toLong() != 0);
    } else {
      select(detail::single_value(index, "index").toLong(), position);
    }
  }

  Tensor view_;
  std::vector<Tensor> tensors_;
  std::int64_t dim_ = 0;
};

Tensor indexed(const Tensor& x, const std::vector<Tensor>& tensors) {
  const Places places = detail::places_of(x, tensors, "index");
  Tensor result = detail::taken_at(x, places);
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(Recorded::IndexBackward0, {&x});
  detail::save(*record, 0, places.positions);
  record->state = stateful(places);
  detail::attach(result, std::move(record));
  return result;
}

Tensor index_by_list(const Tensor& x, Indices indices) {
  const Selection selection(x, indices);
  if (!selection.tensors().empty()) return indexed(selection.view(), selection.tensors());
  return selection.view().is_same(x) ? x.view(x.sizes()) : selection.view();
}

/// `values` without leading dimensions of size 1, as a view.
Tensor without_leading_ones(const Tensor& values) {
  auto sizes = values.sizes().vec();
  std::size_t ones = 0;
  while (ones < sizes.size() && sizes[ones] == 1) ++ones;
  if (ones == 0) return values;
  sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(ones));
  return values.reshape(sizes);
}

/// Writes `values`, of the shape of the places, into x; the last of several values for one place stays.
void write_at(const Tensor& x, const Places& places, const Tensor& values, bool accumulate) {
  if (places.positions.numel() == 0 || values.numel() == 0) return;
  const auto merged = x.permute(places.order.ref());
  const Tensor before = merged.reshape(places.merged.ref());
  const Tensor given = values.reshape(places.taken.ref());
  const detail::IndexAlong along{places.positions, places.at, true, detail::IndexUse::index, places.named_dim};
  Tensor after;
  if (accumulate && before.dtype() == kBool) {
    after = before.logical_or(detail::index_add(given.to(kLong), places.merged, along));
  } else if (accumulate) {
    after = before + detail::index_add(given, places.merged, along);
  } else {
    // For each index the number of its last place, from 1; 0 if there is none.
    const std::int64_t size = places.merged[places.at];
    const auto [sorted, order] = places.positions.sort(0);
    const std::int64_t count = sorted.numel();
    const Tensor last =
        cat({sorted.slice(0, 0, count - 1).ne(sorted.slice(0, 1)), ones({1}, sorted.options().dtype(kBool))});
    const Tensor number = order.add(1).mul(last.to(kLong));
    const Dimensions line{{size}, 1};
    const Tensor from = detail::index_add(number, line, {sorted, 0, true, detail::IndexUse::index, places.named_dim});
    const Tensor picked = detail::take(given, {from.sub(1).clamp_min(0), places.at, true, detail::IndexUse::index});
    std::vector<std::int64_t> broadcast(static_cast<std::size_t>(places.merged.count), 1);
    broadcast[static_cast<std::size_t>(places.at)] = size;
    after = where(from.gt(0).view(broadcast), picked, before);
  }
  Tensor written = merged;
  written.copy_(after.view(places.permuted.ref()));
}

void check_values(const Tensor& x, const Tensor& values, const Places& places) {
  const TensorImpl& out = *x.impl();
  const TensorImpl& given = *values.impl();
  const auto both = detail::operands({{"self", &out}, {"values", &given}});
  if (out.dtype != given.dtype) {
    fail<TypeError>("index_put_",
                    fmt::format("Index put requires the source and destination dtypes match, got {} for the "
                                "destination and {} for the source.",
                                toString(out.dtype), toString(given.dtype)),
                    both, "convert the values with to(x.dtype())");
  }
  bool fits = given.sizes.count <= places.result.count;
  for (int i = 1; fits && i <= given.sizes.count; ++i) {
    const auto own = given.sizes[given.sizes.count - i];
    fits = own == 1 || own == places.result[places.result.count - i];
  }
  if (fits) return;
  fail<ShapeError>("index_put_",
                   fmt::format("shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of "
                               "shape {}",
                               detail::text(given.sizes.ref()), detail::text(places.result.ref())),
                   both, "give a value for each place, or one for all");
}

void put(Tensor& x, const std::vector<Tensor>& tensors, const Tensor& given, bool accumulate) {
  const TensorImpl& out = detail::writable(x, "index_put_");
  const Places places = detail::places_of(x, tensors, "index_put_", true);
  const TensorImpl& own = impl_of(given, "index_put_");
  const bool moves = own.numel == 1 && own.sizes.count == 0 && !(own.device() == out.device()) && own.device().is_cpu();
  const Tensor values = moves ? given.to(out.device()) : given;
  check_values(x, values, places);
  detail::same_device("index_put_", {&out, values.impl().get()}, {"self", "values", ""});
  auto begun = detail::is_recorded(x, values) ? detail::record(Recorded::IndexPutBackward0, {&x, &values}) : nullptr;
  if (begun != nullptr) {
    detail::save(*begun, 0, places.positions);
    begun->state = stateful(places, accumulate);
    detail::keep_overwritten(*begun, x);
  }
  detail::unrecorded([&] {
    const Tensor alias = detail::alias_of(out);
    write_at(alias, places, values.broadcast_to(places.result.ref()), accumulate);
    return 0;
  });
  if (begun != nullptr) detail::attach_in_place(x, std::move(begun));
}

void put_by_list(Tensor& x, Indices indices, const Tensor& values, bool accumulate) {
  impl_of(values, "index_put_");
  const Selection selection(x, indices);
  Tensor view = selection.view();
  const Tensor given = without_leading_ones(values);
  if (!selection.tensors().empty()) {
    put(view, selection.tensors(), given, accumulate);
  } else if (accumulate) {
    view.add_(given);
  } else {
    view.copy_(given);
  }
}

Tensor number_like(const Tensor& x, const Scalar& value) {
  const TensorImpl& impl = impl_of(x, "index_put_");
  return full({}, value, TensorOptions(impl.dtype).device(impl.device()));
}

}  // namespace

Tensor TensorMembers::index(const Tensor& indices) const {
  impl_of(self(), "index");
  impl_of(indices, "index");
  if (indices.dim() == 0 && is_mask(indices.dtype())) {
    const TensorIndex one(indices);
    return index_by_list(self(), {&one, 1});
  }
  return indexed(self(), {indices});
}

// NOLINTNEXTLINE(*-const-return-type): see the declaration
const Tensor TensorMembers::operator[](const Tensor& indices) const { return index(indices); }

Tensor TensorMembers::index(std::initializer_list<TensorIndex> indices) const {
  return index_by_list(self(), {indices.begin(), indices.size()});
}
Tensor TensorMembers::index(const std::vector<TensorIndex>& indices) const { return index_by_list(self(), indices); }

Tensor& TensorMembers::index_put_(std::initializer_list<TensorIndex> indices, const Tensor& values, bool accumulate) {
  put_by_list(self(), {indices.begin(), indices.size()}, values, accumulate);
  return self();
}
Tensor& TensorMembers::index_put_(std::initializer_list<TensorIndex> indices, const Scalar& value) {
  put_by_list(self(), {indices.begin(), indices.size()}, number_like(self(), value), false);
  return self();
}
Tensor& TensorMembers::index_put_(const std::vector<TensorIndex>& indices, const Tensor& values, bool accumulate) {
  put_by_list(self(), indices, values, accumulate);
  return self();
}
Tensor& TensorMembers::index_put_(const std::vector<TensorIndex>& indices, const Scalar& value) {
  put_by_list(self(), indices, number_like(self(), value), false);
  return self();
}

Tensor TensorMembers::index_put(const std::vector<TensorIndex>& indices, const Tensor& values, bool accumulate) const {
  if (detail::autocasts(detail::CastRule::widest_on_gpu, self())) {
    return detail::with_casts(
        detail::CastRule::widest_on_gpu,
        [&](const Tensor& x, const Tensor& put) { return x.index_put(indices, put, accumulate); }, self(), values);
  }
  Tensor result = self().clone();
  return result.index_put_(indices, values, accumulate);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void IndexBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  auto places = state_of<IndexedState>(operation).places;
  const IndexAlong along{operation.saved(0), places.at, true, IndexUse::index, places.named_dim};
  const Tensor sums = index_add(g.reshape(places.taken.ref()), places.merged, along).view(places.permuted.ref());
  std::vector<std::int64_t> inverse(static_cast<std::size_t>(places.order.count));
  for (int i = 0; i < places.order.count; ++i) inverse[static_cast<std::size_t>(places.order[i])] = i;
  results[0] = sums.permute(inverse);
}

void IndexPutBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  auto [places, accumulate] = state_of<IndexedState>(operation);
  places.positions = operation.saved(0);
  if (operation.wants(0)) {
    results[0] = accumulate ? g : g.clone();
    if (!accumulate) write_at(results[0], places, zeros(places.result.ref(), g.options()), false);
  }
  if (operation.wants(1)) results[1] = taken_at(g, places);
}

}  // namespace d2l::detail::derivatives
