// SPDX-License-Identifier: MIT
// Derivatives of operations that move elements, and of order along a dimension. g is the gradient of the result.
#include <algorithm>

#include "autograd/recorded_operation.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "ops/lines.h"

namespace d2l::detail::derivatives {

namespace {

/// Adds the gradient of each element to that of the element that it was read from.
Tensor added_back(const RecordedOperation& operation, const Tensor& g, bool shared, IndexUse use) {
  const auto dim = static_cast<int>(operation.integers[0]);
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
D2L_DERIVATIVE(SortBackward0, added_back(operation, g, false, IndexUse::gather))
D2L_DERIVATIVE(TopkBackward0, added_back(operation, g, false, IndexUse::gather))
D2L_DERIVATIVE(IndexBackward0, added_to_rows(operation, g, operation.dims).reshape(operation.inputs[0].sizes.ref()))

/// backward() sums over the dimensions in which the input was broadcast.
void MaskedSelectBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Dimensions& sizes = operation.dims;
  const Dimensions rows{{count_elements(sizes, "masked_select")}, 1};
  results[0] = added_to_rows(operation, g, rows).reshape(sizes.ref());
}

D2L_DERIVATIVE(FlipBackward0, g.flip(operation.dims.ref()))
D2L_DERIVATIVE(TrilBackward0, g.tril(operation.integers[0]))
D2L_DERIVATIVE(TriuBackward0, g.triu(operation.integers[0]))

void RollBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  auto shifts = operation.offsets;
  for (auto& shift : shifts) shift = -shift;
  results[0] = g.roll(shifts, operation.dims.ref());
}

/// The sum over the repetitions, one dimension after the other from the first.
void RepeatBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& sizes = operation.inputs[0].sizes;
  const auto& repeats = operation.offsets;
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
  const std::int64_t diagonal = operation.integers[0];
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
