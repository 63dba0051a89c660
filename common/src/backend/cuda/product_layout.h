// SPDX-License-Identifier: MIT
// How a strided matrix looks to BLAS, which knows a leading dimension and a transpose and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace d2l::backend::cuda {

/// A row-major matrix with `leading` elements from row to row, or the transpose of such a one.
struct BlasLayout {
  bool transposed;
  std::int64_t leading;

  friend bool operator==(const BlasLayout&, const BlasLayout&) = default;
};

/// None when the elements must be copied first.
inline std::optional<BlasLayout> blas_layout(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                             std::int64_t column_stride) {
  const auto leading_of = [](std::int64_t count, std::int64_t length, std::int64_t stride,
                             std::int64_t step) -> std::optional<std::int64_t> {
    const std::int64_t shortest = std::max<std::int64_t>(length, 1);
    if (length > 1 && step != 1) return std::nullopt;
    if (count <= 1) return shortest;  // there is no next row, and its stride may be anything
    if (stride < shortest) return std::nullopt;
    return stride;
  };
  if (const auto leading = leading_of(rows, columns, row_stride, column_stride)) return BlasLayout{false, *leading};
  if (const auto leading = leading_of(columns, rows, column_stride, row_stride)) return BlasLayout{true, *leading};
  return std::nullopt;
}

}  // namespace d2l::backend::cuda
