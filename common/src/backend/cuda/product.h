// SPDX-License-Identifier: MIT
// Matrix products by cuBLAS, and the layouts that it supports: a leading dimension and a transpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernels/kernel.h"

namespace d2l::backend::cuda {

/// A row-major matrix with `leading` elements from row to row, or the transpose of such a matrix.
struct BlasLayout {
  bool transposed;
  std::int64_t leading;

  friend bool operator==(const BlasLayout&, const BlasLayout&) = default;
};

/// The layout of a strided matrix; nullopt if its elements must be copied first.
inline std::optional<BlasLayout> blas_layout(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                             std::int64_t column_stride) {
  const auto leading_of = [](std::int64_t count, std::int64_t length, std::int64_t stride,
                             std::int64_t step) -> std::optional<std::int64_t> {
    const std::int64_t shortest = std::max<std::int64_t>(length, 1);
    if (length > 1 && step != 1) return std::nullopt;
    if (count <= 1) return shortest;  // without a next row, the stride does not matter
    if (stride < shortest) return std::nullopt;
    return stride;
  };
  if (const auto leading = leading_of(rows, columns, row_stride, column_stride)) return BlasLayout{false, *leading};
  if (const auto leading = leading_of(columns, rows, column_stride, row_stride)) return BlasLayout{true, *leading};
  return std::nullopt;
}

/// Adds the floating-point matrix products, which cuBLAS computes.
void add_cublas_products(KernelTable& table);

}  // namespace d2l::backend::cuda
