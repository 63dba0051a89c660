// SPDX-License-Identifier: MIT
// Matrix products of floating-point numbers on the host, by OpenBLAS or, for small ones, by our own loops.
#include <cblas.h>

#include <algorithm>

#include "kernels/blas_operand.h"
#include "kernels/cpu/blas_kernels.h"
#include "kernels/cpu/host_policy.h"
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
  const Operand& out = arguments.operands[0];
  const Operand& a = arguments.operands[1];
  const Operand& b = arguments.operands[2];
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

/// The part of a batch's matrix number `index` from a row and a column on.
template <class T>
const T* part_of(const BlasOperand<T>& operand, std::int64_t index, std::int64_t row, std::int64_t column) {
  const auto skipped = operand.transposed() ? column * operand.leading() + row : row * operand.leading() + column;
  return operand.data() + index * operand.batch_stride() + skipped;
}

/// The product for k = 0: beta × out.
template <class T>
void scale(T* out, std::int64_t count, T beta) {
  std::transform(out, out + count, out, [beta](T value) { return beta == T{0} ? T{0} : beta * value; });
}

/// The largest count of multiplications that one thread computes alone.
constexpr std::int64_t serial_product = 1 << 18;

/// By our own loops if the product is too small for a call of BLAS. Each of our threads multiplies some rows or some
/// columns, and BLAS uses the calling thread alone: its own threads wait for each other without end if OpenMP starts
/// fewer than BLAS has planned for.
template <class T>
void product(const KernelContext& context, const KernelArguments& arguments) {
  const std::int64_t batch = arguments.sizes[0];
  const std::int64_t n = arguments.sizes[1];
  const std::int64_t k = arguments.sizes[2];
  const std::int64_t m = arguments.sizes[3];
  if (batch * n * m == 0) return;
  auto* out = static_cast<T*>(arguments.operands[0].data);
  const auto beta = static_cast<T>(arguments.parameters[0].real);
  if (k == 0) return scale(out, batch * n * m, beta);  // a and b may be null
  if (n * k * m <= small_product) return multiply_small<T>(arguments);
  const Kernel copy = kernels::elementwise_kernel<kernels::Host, kernels::ConvertTo<T>, T, T, 1>;
  const BlasOperand<T> a(context, arguments.operands[1], batch, n, k, copy);
  const BlasOperand<T> b(context, arguments.operands[2], batch, k, m, copy);
  const auto transpose = [](const BlasOperand<T>& operand) { return operand.transposed() ? CblasTrans : CblasNoTrans; };
  const auto multiply = [&](std::int64_t index, std::int64_t row, std::int64_t rows, std::int64_t column,
                            std::int64_t columns) {
    const auto gemm = [&](auto function) {
      function(CblasRowMajor, transpose(a), transpose(b), static_cast<blasint>(rows), static_cast<blasint>(columns),
               static_cast<blasint>(k), T{1}, part_of(a, index, row, 0), static_cast<blasint>(a.leading()),
               part_of(b, index, 0, column), static_cast<blasint>(b.leading()), beta,
               out + (index * n + row) * m + column, static_cast<blasint>(m));
    };
    if constexpr (std::is_same_v<T, float>) {
      gemm(cblas_sgemm);
    } else {
      gemm(cblas_dgemm);
    }
  };
  KernelContext team = context;
  if (batch * n * k * m <= serial_product) team.threads = 1;
  if (batch * n < m) {
    kernels::for_each_part(team, m, [&](std::int64_t begin, std::int64_t end) {
      const kernels::TeamSize alone(1);
      for (std::int64_t i = 0; i < batch; ++i) multiply(i, 0, n, begin, end - begin);
    });
    return;
  }
  kernels::for_each_part(team, batch * n, [&](std::int64_t begin, std::int64_t end) {
    const kernels::TeamSize alone(1);
    while (begin < end) {  // the rows of one matrix, as many as BLAS can count
      const auto row = begin % n;
      const auto rows = std::min({n - row, end - begin, std::int64_t{1} << 30});
      multiply(begin / n, row, rows, 0, m);
      begin += rows;
    }
  });
}

}  // namespace

void add_blas_products(KernelTable& table) {
  kernels::entry(table, Operation::matmul, kFloat) = product<float>;
  kernels::entry(table, Operation::matmul, kDouble) = product<double>;
}

}  // namespace d2l::backend
