// SPDX-License-Identifier: MIT
// Repeated elements, parts of matrices, and classes as rows: repeat, repeat_interleave, tril, triu, diag, one_hot.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/lines.h"
#include "ops/operands.h"
#include "tensor/copies.h"

namespace d2l {

using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::Recorded;
using detail::TensorImpl;

namespace {

struct DiagonalState {
  std::int64_t diagonal;
};
struct RepeatState {
  std::vector<std::int64_t> counts;
};

/// `x` (outer, block), `times` times the block.
Tensor repeated_blocks(const Tensor& x, std::int64_t outer, std::int64_t times, std::int64_t block) {
  return x.reshape({outer, 1, block}).expand({outer, times, block}).clone();
}

Tensor triangle(detail::Operation operation, const Tensor& x, std::int64_t diagonal, Recorded kind) {
  const char* const name = info(operation).name;
  const TensorImpl& impl = impl_of(x, name);
  if (impl.sizes.count < 2) {
    fail<ShapeError>(name, fmt::format("{}: input tensor must have at least 2 dimensions", name),
                     detail::operands({{"it", &impl}}), "add dimensions first, with unsqueeze");
  }
  auto result = detail::triangle(operation, x, diagonal);
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(kind, {&x});
  record->state = DiagonalState{diagonal};
  detail::attach(result, std::move(record));
  return result;
}

/// The view of the elements of a matrix whose column − row is `diagonal`.
Tensor diagonal_view(const TensorImpl& matrix, std::int64_t diagonal) {
  diagonal = std::max(diagonal, -std::numeric_limits<std::int64_t>::max());
  const std::int64_t rows = matrix.sizes[0] - std::clamp<std::int64_t>(-diagonal, 0, matrix.sizes[0]);
  const std::int64_t columns = matrix.sizes[1] - std::clamp<std::int64_t>(diagonal, 0, matrix.sizes[1]);
  const Dimensions sizes{{std::min(rows, columns)}, 1};
  const Dimensions strides{{matrix.strides[0] + matrix.strides[1]}, 1};
  if (sizes[0] == 0) return detail::make_view(matrix, sizes, strides, matrix.offset);
  const std::int64_t first = diagonal < 0 ? -diagonal * matrix.strides[0] : diagonal * matrix.strides[1];
  return detail::make_view(matrix, sizes, strides, matrix.offset + first);
}

/// The position of the element that each repetition is of.
Tensor repeated_positions(const Tensor& repeats) {
  const TensorImpl& counts = impl_of(repeats, "repeat_interleave");
  const auto it = detail::operands({{"repeats", &counts}});
  if (counts.sizes.count > 1) {
    fail<ShapeError>("repeat_interleave", "repeat_interleave only accept 1D vector as repeat", it, "flatten it first");
  }
  if (counts.dtype != kLong && counts.dtype != kInt) {
    fail<TypeError>("repeat_interleave", "repeats has to be Long or Int tensor", it, "convert it with to(kLong)");
  }
  if (counts.numel == 0) return empty({0}, repeats.options().dtype(kLong));
  const Tensor list = detail::converted(repeats, kLong);
  if (detail::single_value(list.min(), "repeat_interleave").toLong() < 0) {
    fail<ValueError>("repeat_interleave", "repeats can not be negative", it, "counts are 0 or more");
  }
  if (list.is_cpu()) {  // on a GPU, the sum wraps around
    std::int64_t sum = 0;
    for (const auto count : list.to_vector<std::int64_t>()) sum = detail::checked_sum(sum, count, "repeat_interleave");
    detail::checked_sum(sum, 1, "repeat_interleave");
  }
  // A mark where the repetitions of each element begin; the sum of the marks so far is the number of the element.
  const Tensor ends = list.cumsum(0);
  const auto total = detail::single_value(ends.slice(0, -1), "repeat_interleave").toLong();
  const Tensor marks =
      detail::index_add(ones_like(ends), Dimensions{{total + 1}, 1}, {ends, 0, true, detail::IndexUse::index_select});
  return marks.cumsum(0).slice(0, 0, total).contiguous();
}

/// repeat_interleave() along a dimension needs one.
void require_dimension(const TensorImpl& x, int dim) {
  if (x.sizes.count > 0) return;
  fail<IndexError>("repeat_interleave", fmt::format("Dimension specified as {} but tensor has no dimensions", dim),
                   detail::operands({{"self", &x}}), "leave the dimension out");
}

}  // namespace

Tensor TensorMembers::repeat(IntArrayRef repeats) const {
  const TensorImpl& impl = impl_of(self(), "repeat");
  const int count = static_cast<int>(repeats.size());
  if (count < impl.sizes.count) {
    fail<ShapeError>("repeat",
                     "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
                     fmt::format("({}; repeats: {})", detail::describe(impl), detail::text(repeats)),
                     "give a count for each dimension");
  }
  auto sizes = detail::dimensions(repeats, "repeat");
  for (int i = 0; i < count; ++i) {
    const int own = i - (count - impl.sizes.count);
    if (own >= 0) sizes[i] = detail::checked_product(sizes[i], impl.sizes[own], "repeat");
    if (repeats[static_cast<std::size_t>(i)] >= 0) continue;
    fail<ValueError>(
        "repeat",
        fmt::format("Trying to create tensor with negative dimension {}: {}", sizes[i], detail::text(sizes.ref())), {},
        "counts are 0 or more");
  }
  const bool nothing = detail::count_elements(sizes, "repeat") == 0;
  auto result = detail::unrecorded([&] {
    if (nothing) return empty(sizes.ref(), options().requires_grad(false));
    Tensor all = detail::alias_of(impl);
    std::int64_t block = 1;  // the elements of an index of dimension i, after its repetition
    for (int i = count - 1; i >= 0; --i) {
      const std::int64_t times = repeats[static_cast<std::size_t>(i)];
      const int own = i - (count - impl.sizes.count);
      block *= own < 0 ? 1 : impl.sizes[own];
      if (times != 1) all = repeated_blocks(all, block == 0 ? 0 : all.numel() / block, times, block);
      block *= times;
    }
    return (all.impl()->storage == impl.storage ? all.clone() : all).reshape(sizes.ref());
  });
  if (!detail::is_recorded(self())) return result;
  auto record = detail::record(Recorded::RepeatBackward0, {&self()});
  record->state = RepeatState{repeats.vec()};
  detail::attach(result, std::move(record));
  return result;
}

Tensor TensorMembers::repeat_interleave(std::int64_t repeats, std::optional<std::int64_t> dim) const {
  const TensorImpl& impl = impl_of(self(), "repeat_interleave");
  if (!dim) return flatten().repeat_interleave(repeats, 0);
  const int at = detail::wrap_dimension(*dim, impl.sizes.count, "repeat_interleave");
  if (repeats < 0) {
    fail<ValueError>("repeat_interleave", "Repeats must be non-negative", detail::operands({{"it", &impl}}),
                     "counts are 0 or more");
  }
  require_dimension(impl, at);
  auto sizes = impl.sizes;
  sizes[at] = detail::checked_product(sizes[at], repeats, "repeat_interleave");
  std::int64_t inner = 1;
  for (int i = at + 1; i < impl.sizes.count; ++i) inner *= impl.sizes[i];
  const std::int64_t outer = inner == 0 ? 0 : impl.numel / inner;
  const Tensor rows = self().reshape({outer, 1, inner});
  return rows.expand({outer, repeats, inner}).clone().view(sizes.ref());
}

Tensor TensorMembers::repeat_interleave(const Tensor& repeats, std::optional<std::int64_t> dim) const {
  const TensorImpl& impl = impl_of(self(), "repeat_interleave");
  const TensorImpl& counts = impl_of(repeats, "repeat_interleave");
  if (!dim) return flatten().repeat_interleave(repeats, 0);
  const int at = detail::wrap_dimension(*dim, impl.sizes.count, "repeat_interleave");
  require_dimension(impl, at);
  const std::int64_t size = impl.sizes[at];
  detail::same_device("repeat_interleave", {&impl, &counts}, {"self", "repeats", ""});
  const bool one_for_all = counts.sizes.count == 0 || (counts.sizes.count == 1 && counts.sizes[0] == 1);
  if (!one_for_all && counts.numel != size) {
    fail<ShapeError>("repeat_interleave",
                     "repeats must have the same size as input along dim, but got repeats.size(0) = " +
                         std::to_string(counts.sizes[0]) + " and input.size(" + std::to_string(at) +
                         ") = " + std::to_string(size),
                     detail::operands({{"self", &impl}, {"repeats", &counts}}), "give a count for each index");
  }
  const Tensor each = one_for_all ? repeats.reshape({1}).expand({size}).contiguous() : repeats;
  return index_select(at, repeated_positions(each));
}

Tensor TensorMembers::tril(std::int64_t diagonal) const {
  return triangle(detail::Operation::tril, self(), diagonal, Recorded::TrilBackward0);
}
Tensor TensorMembers::triu(std::int64_t diagonal) const {
  return triangle(detail::Operation::triu, self(), diagonal, Recorded::TriuBackward0);
}

Tensor TensorMembers::diag(std::int64_t diagonal) const {
  const TensorImpl& impl = impl_of(self(), "diag");
  if (impl.sizes.count != 1 && impl.sizes.count != 2) {
    fail<ShapeError>("diag", fmt::format("diag(): Supports 1D or 2D tensors. Got {}D", impl.sizes.count),
                     detail::operands({{"it", &impl}}), "reshape it first");
  }
  Tensor result;
  if (impl.sizes.count == 2) {
    result = detail::unrecorded([&] { return diagonal_view(impl, diagonal).clone(); });
  } else {
    const std::int64_t away = diagonal < 0 ? detail::checked_product(diagonal, -1, "diag") : diagonal;
    const std::int64_t size = detail::checked_sum(impl.sizes[0], away, "diag");
    result = zeros({size, size}, options());
    detail::copy_within_device(*diagonal_view(*result.impl(), diagonal).impl(), impl);
  }
  if (!detail::is_recorded(self())) return result;
  auto record = detail::record(Recorded::DiagBackward0, {&self()});
  record->state = DiagonalState{diagonal};
  detail::attach(result, std::move(record));
  return result;
}

Tensor one_hot(const Tensor& classes, std::int64_t num_classes) {
  const TensorImpl& impl = impl_of(classes, "one_hot");
  const auto it = detail::operands({{"it", &impl}});
  if (impl.dtype != kLong) {
    fail<TypeError>("one_hot", "one_hot is only applicable to index tensor of type LongTensor.", it,
                    "convert it with to(kLong)");
  }
  if (impl.numel == 0 && num_classes <= 0) {
    fail<ValueError>("one_hot", "Can not infer total number of classes from empty tensor.", it,
                     "give the number of classes");
  }
  const bool inferred = num_classes == -1;
  if (!inferred && num_classes < 1) {
    fail<ValueError>("one_hot", "num_classes should be positive", it, "give the number of classes");
  }
  if (impl.numel > 0 && (inferred || classes.is_cpu())) {  // a GPU checks given classes in the kernel
    if (detail::single_value(classes.min(), "one_hot").toLong() < 0) {
      fail<ValueError>("one_hot", "Class values must be non-negative.", it, "classes are numbered from 0");
    }
    const auto largest = detail::single_value(classes.max(), "one_hot").toLong();
    if (inferred) num_classes = detail::checked_sum(largest, 1, "one_hot");
    if (largest >= num_classes) {
      fail<ValueError>("one_hot", "Class values must be smaller than num_classes.", it,
                       "correct the class, or give more classes");
    }
  }
  auto sizes = classes.sizes().vec();
  sizes.push_back(num_classes);
  if (impl.numel == 0) return zeros(sizes, classes.options());
  const Dimensions rows{{impl.numel, num_classes}, 2};
  const Tensor places = classes.reshape({-1, 1});
  return detail::index_add(ones_like(places), rows, {places, 1, false, detail::IndexUse::one_hot}).view(sizes);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

D2L_DERIVATIVE(TrilBackward0, g.tril(state_of<DiagonalState>(operation).diagonal))
D2L_DERIVATIVE(TriuBackward0, g.triu(state_of<DiagonalState>(operation).diagonal))

/// The sum over the repetitions, one dimension after the other from the first.
void RepeatBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& sizes = operation.inputs[0].sizes;
  const auto& repeats = state_of<RepeatState>(operation).counts;
  if (g.numel() == 0) {  // sizes beside a 0 may be too large to multiply
    results[0] = zeros(sizes.ref(), g.options());
    return;
  }
  Tensor sum = g;
  std::int64_t outer = 1;  // the elements of the dimensions before, without their repetitions
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const int own = static_cast<int>(i + static_cast<std::size_t>(sizes.count)) - static_cast<int>(repeats.size());
    const std::int64_t size = own < 0 ? 1 : sizes[own];
    std::int64_t block = size;
    for (std::size_t later = i + 1; later < repeats.size(); ++later) {
      block *= operation.sizes[static_cast<int>(later)];
    }
    if (repeats[i] != 1) sum = sum.reshape({outer, repeats[i], block}).sum(1);
    outer *= size;
  }
  results[0] = sum.reshape(sizes.ref());
}

void DiagBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& sizes = operation.inputs[0].sizes;
  const std::int64_t diagonal = state_of<DiagonalState>(operation).diagonal;
  if (sizes.count == 1) {
    results[0] = g.diag(diagonal);
    return;
  }
  if (g.numel() == 0) {
    results[0] = zeros(sizes.ref(), g.options());
    return;
  }
  // A row for each index of the diagonal would be a square matrix: the input may be larger on one side.
  const Tensor square = g.diag(diagonal);
  const std::int64_t rows = std::min(square.size(0), sizes[0]);
  const std::int64_t columns = std::min(square.size(1), sizes[1]);
  results[0] = zeros(sizes.ref(), g.options());
  results[0].slice(0, 0, rows).slice(1, 0, columns).copy_(square.slice(0, 0, rows).slice(1, 0, columns));
}

}  // namespace d2l::detail::derivatives
