// SPDX-License-Identifier: MIT
// Matrix products of floating-point numbers on the host, by OpenBLAS or, for small ones, by our own loops.
#include <cblas.h>

#include <algorithm>

#include "backend/cpu/host_policy.h"
#include "backend/cpu/kernel_tables.h"
#include "kernels/blas_operand.h"
#include "kernels/families/fill_copy.h"

namespace d2l::backend {
namespace {

using kernels::BlasOperand;

/// The largest count of multiplications for which these loops are faster than OpenBLAS. Measured for (32, 3) × (3, 1):
/// 60 ns, and 90 ns with OpenBLAS.
constexpr std::int64_t small_product = 128;

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

/// out = a × b + beta × out, for matrix number `index` of the batch.
template <class T>
void multiply(const BlasOperand<T>& a, const BlasOperand<T>& b, std::int64_t index, T beta, T* out, blasint n,
              blasint k, blasint m) {
  const auto gemm = [&](auto function) {
    const auto transpose = [](const auto& operand) { return operand.transposed() ? CblasTrans : CblasNoTrans; };
    function(CblasRowMajor, transpose(a), transpose(b), n, m, k, T{1}, a.data() + index * a.batch_stride(),
             static_cast<blasint>(a.leading()), b.data() + index * b.batch_stride(), static_cast<blasint>(b.leading()),
             beta, out, m);
  };
  if constexpr (std::is_same_v<T, float>) {
    gemm(cblas_sgemm);
  } else {
    gemm(cblas_dgemm);
  }
}

/// The product for k = 0: beta × out.
template <class T>
void scale(T* out, std::int64_t count, T beta) {
  std::transform(out, out + count, out, [beta](T value) { return beta == T{0} ? T{0} : beta * value; });
}

/// By our own loops if the product is too small for a call of BLAS.
template <class T>
void product(const KernelContext& context, const KernelArguments& arguments) {
  const auto [batch, n, k, m] =
      std::array{arguments.sizes[0], arguments.sizes[1], arguments.sizes[2], arguments.sizes[3]};
  if (batch * n * m == 0) return;
  auto* out = static_cast<T*>(arguments.operands[0].data);
  const auto beta = static_cast<T>(arguments.parameters[0].real);
  if (k == 0) return scale(out, batch * n * m, beta);  // a and b may be null
  if (n * k * m <= small_product) return multiply_small<T>(arguments);
  const Kernel copy = kernels::elementwise_kernel<kernels::Host, kernels::ConvertTo<T>, T, T, 1>;
  const BlasOperand<T> a(context, arguments.operands[1], batch, n, k, copy);
  const BlasOperand<T> b(context, arguments.operands[2], batch, k, m, copy);
  const kernels::TeamSize team(context.threads);
  for (std::int64_t i = 0; i < batch; ++i) {
    multiply(a, b, i, beta, out + i * n * m, static_cast<blasint>(n), static_cast<blasint>(k), static_cast<blasint>(m));
  }
}

}  // namespace

void add_blas_products(KernelTable& table) {
  kernels::entry(table, Operation::matmul, kFloat) = product<float>;
  kernels::entry(table, Operation::matmul, kDouble) = product<double>;
}

}  // namespace d2l::backend
