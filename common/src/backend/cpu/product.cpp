// SPDX-License-Identifier: MIT
// Matrix products of floating-point numbers on the host, by OpenBLAS or, for small ones, by our own loops.
#include <cblas.h>

#include <algorithm>

#include "backend/cpu/host_policy.h"
#include "backend/cpu/kernel_tables.h"
#include "backend/cpu/team_size.h"
#include "kernels/families/fill_copy.h"
#include "kernels/scratch.h"
#include "kernels/small_product.h"

namespace d2l::backend {
namespace {

/// A matrix in BLAS's form: row-major, or the transpose of a row-major one.
template <class T>
struct BlasMatrix {
  const T* data;
  CBLAS_TRANSPOSE transpose;
  blasint leading;
};

/// True if a (rows, columns) matrix of these strides is row-major, with or without a gap after each row.
bool is_row_major(std::int64_t rows, std::int64_t columns, std::int64_t row_stride, std::int64_t column_stride) {
  return (columns <= 1 || column_stride == 1) && (rows <= 1 || row_stride >= std::max<std::int64_t>(columns, 1));
}

template <class T>
void multiply(const BlasMatrix<T>& a, const BlasMatrix<T>& b, T beta, T* out, blasint n, blasint k, blasint m) {
  if constexpr (std::is_same_v<T, float>) {
    cblas_sgemm(CblasRowMajor, a.transpose, b.transpose, n, m, k, 1.0F, a.data, a.leading, b.data, b.leading, beta, out,
                m);
  } else {
    cblas_dgemm(CblasRowMajor, a.transpose, b.transpose, n, m, k, 1.0, a.data, a.leading, b.data, b.leading, beta, out,
                m);
  }
}

/// One operand, (batch, rows, columns) by strides; copied to scratch memory if BLAS cannot read these strides.
template <class T>
class ProductOperand {
 public:
  ProductOperand(const KernelContext& context, const Operand& operand, std::int64_t batch, std::int64_t rows,
                 std::int64_t columns)
      : row_major_(is_row_major(rows, columns, operand.strides[1], operand.strides[2])),
        column_major_(is_row_major(columns, rows, operand.strides[2], operand.strides[1])),
        scratch_(context, row_major_ || column_major_ ? 0 : batch * rows * columns),
        data_(static_cast<const T*>(operand.data)),
        batch_stride_(operand.strides[0]),
        leading_(row_major_ ? (rows <= 1 ? columns : operand.strides[1]) : (columns <= 1 ? rows : operand.strides[2])) {
    if (row_major_ || column_major_) return;
    KernelArguments copy{};
    copy.rank = 3;
    copy.operand_count = 2;
    copy.sizes = {batch, rows, columns};
    copy.operands[0].data = scratch_.data();
    copy.operands[0].strides = {rows * columns, columns, 1};
    copy.operands[1] = operand;
    kernels::elementwise_kernel<kernels::Host, kernels::ConvertTo<T>, T, T, 1>(context, copy);
    data_ = scratch_.data();
    batch_stride_ = rows * columns;
    leading_ = columns;
    row_major_ = true;
  }
  [[nodiscard]] BlasMatrix<T> matrix(std::int64_t batch) const {
    return {data_ + batch * batch_stride_, row_major_ ? CblasNoTrans : CblasTrans,
            static_cast<blasint>(std::max<std::int64_t>(leading_, 1))};
  }

 private:
  bool row_major_;
  bool column_major_;
  kernels::Scratch<T> scratch_;
  const T* data_;
  std::int64_t batch_stride_;
  std::int64_t leading_;
};

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
  if (n * k * m <= kernels::small_product) return kernels::multiply_small<T>(arguments);
  const ProductOperand<T> a(context, arguments.operands[1], batch, n, k);
  const ProductOperand<T> b(context, arguments.operands[2], batch, k, m);
  const cpu::TeamSize team(context.threads);
  for (std::int64_t i = 0; i < batch; ++i) {
    multiply(a.matrix(i), b.matrix(i), beta, out + i * n * m, static_cast<blasint>(n), static_cast<blasint>(k),
             static_cast<blasint>(m));
  }
}

}  // namespace

void add_blas_products(KernelTable& table) {
  kernels::entry(table, Operation::matmul, kFloat) = product<float>;
  kernels::entry(table, Operation::matmul, kDouble) = product<double>;
}

}  // namespace d2l::backend
