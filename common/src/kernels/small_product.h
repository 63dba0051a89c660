// SPDX-License-Identifier: MIT
// Small products, for which a call of BLAS takes longer than the work.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/kernel.h"
#include "kernels/rows.h"

namespace d2l::backend::kernels {

/// The largest count of multiplications for which these loops are faster than OpenBLAS. Measured for (32, 3) × (3, 1):
/// 60 ns, and 90 ns with OpenBLAS.
inline constexpr std::int64_t small_product = 128;

/// out (n, m) contiguous = a (n, k) × b (k, m) + beta × out.
template <class T>
struct SmallProduct {
  T* out;
  const T* a;
  const T* b;
  std::int64_t n, k, m;
  std::int64_t a_row, a_column, b_row, b_column;  ///< strides in elements
  T beta;

  /// Computes a block of rows × columns elements of out in registers.
  template <std::int64_t rows, std::int64_t columns>
  D2L_ALWAYS_INLINE void block(std::int64_t row, std::int64_t column) const {
    T sums[rows][columns] = {};
    const T* left = a + row * a_row;
    const T* right = b + column * b_column;
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) sums[i][j] += left[i * a_row] * right[j * b_column];
      }
      left += a_column;
      right += b_row;
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        T& to = out[(row + i) * m + column + j];
        to = beta == T{0} ? sums[i][j] : sums[i][j] + beta * to;
      }
    }
  }

  template <std::int64_t rows>
  D2L_ALWAYS_INLINE void rows_from(std::int64_t row) const {
    std::int64_t column = 0;
    for (; column + 4 <= m; column += 4) block<rows, 4>(row, column);
    if (m - column == 3) block<rows, 3>(row, column);
    if (m - column == 2) block<rows, 2>(row, column);
    if (m - column == 1) block<rows, 1>(row, column);
  }

  void multiply() const {
    std::int64_t row = 0;
    for (; row + 4 <= n; row += 4) rows_from<4>(row);
    for (; row < n; ++row) rows_from<1>(row);
  }
};

/// Computes a product, matrix by matrix.
template <class T>
void multiply_small(const KernelArguments& arguments) {
  const auto& [out, a, b] = arguments.operands;
  SmallProduct<T> work{static_cast<T*>(out.data),
                       static_cast<const T*>(a.data),
                       static_cast<const T*>(b.data),
                       arguments.sizes[1],
                       arguments.sizes[2],
                       arguments.sizes[3],
                       a.strides[1],
                       a.strides[2],
                       b.strides[1],
                       b.strides[2],
                       static_cast<T>(arguments.parameters[0].real)};
  for (std::int64_t i = 0; i < arguments.sizes[0]; ++i) {
    work.multiply();
    work.out += work.n * work.m;
    work.a += a.strides[0];
    work.b += b.strides[0];
  }
}

}  // namespace d2l::backend::kernels
