// SPDX-License-Identifier: MIT
// Floating-point matrix products by cuBLAS, in the precision of the dtype.
#include "backend/cuda/product.h"

#include <cublas_v2.h>

#include <type_traits>

#include "backend/cuda/errors/check.h"
#include "backend/cuda/kernel_tables.h"
#include "kernels/scratch.h"

namespace d2l::backend::cuda {
namespace {

/// One operand of shape (batch, rows, columns), copied to scratch memory if cuBLAS does not support its layout.
template <class T>
class Factor {
 public:
  Factor(const KernelContext& context, const Operand& operand, std::int64_t batch, std::int64_t rows,
         std::int64_t columns)
      : layout_(blas_layout(rows, columns, operand.strides[1], operand.strides[2])),
        copy_(context, layout_ ? 0 : batch * rows * columns),
        data_(static_cast<const T*>(operand.data)),
        batch_stride_(batch > 1 ? operand.strides[0] : 0) {
    if (layout_) return;
    KernelArguments copy{};
    copy.rank = 3;
    copy.operand_count = 2;
    copy.sizes = {batch, rows, columns};
    copy.operands[0].data = copy_.data();
    copy.operands[0].dtype = operand.dtype;
    copy.operands[0].extent = batch * rows * columns * static_cast<std::int64_t>(sizeof(T));
    copy.operands[0].strides = {rows * columns, columns, 1};
    copy.operands[1] = operand;
    cuda_kernels().find(Operation::copy, copy)(context, copy);
    layout_ = BlasLayout{false, columns};
    data_ = copy_.data();
    batch_stride_ = rows * columns;
  }

  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] cublasOperation_t operation() const { return layout_->transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
  [[nodiscard]] std::int64_t leading() const { return layout_->leading; }
  [[nodiscard]] std::int64_t batch_stride() const { return batch_stride_; }

 private:
  std::optional<BlasLayout> layout_;
  kernels::Scratch<T> copy_;
  const T* data_;
  std::int64_t batch_stride_;
};

template <class T>
void multiply(const KernelContext& context, const KernelArguments& arguments) {
  const std::int64_t batch = arguments.sizes[0];
  const std::int64_t n = arguments.sizes[1];
  const std::int64_t k = arguments.sizes[2];
  const std::int64_t m = arguments.sizes[3];
  auto* out = static_cast<T*>(arguments.operands[0].data);
  if (batch * n * m == 0) return;
  const auto beta = static_cast<T>(arguments.parameters[0].real);
  if (k == 0 && beta == T{0}) {
    const std::size_t bytes = static_cast<std::size_t>(batch * n * m) * sizeof(T);
    D2L_CUDA_CHECK(cudaMemsetAsync(out, 0, bytes, static_cast<cudaStream_t>(context.stream)));
    return;
  }
  const Factor<T> a(context, arguments.operands[1], batch, n, k);
  const Factor<T> b(context, arguments.operands[2], batch, k, m);
  const auto gemm = [&](auto function) {
    // cuBLAS is column-major: our rows are its columns, so it computes the transpose, bᵀ × aᵀ.
    const T one{1};
    D2L_CUDA_CHECK(function(static_cast<cublasHandle_t>(context.library), b.operation(), a.operation(), m, n, k, &one,
                            b.data(), b.leading(), b.batch_stride(), a.data(), a.leading(), a.batch_stride(), &beta,
                            out, m, n * m, batch));
  };
  if constexpr (std::is_same_v<T, float>) {
    gemm(cublasSgemmStridedBatched_64);
  } else {
    gemm(cublasDgemmStridedBatched_64);
  }
}

}  // namespace

void add_cublas_products(KernelTable& table) {
  auto& products = table.kernels[static_cast<std::size_t>(Operation::matmul)];
  products[static_cast<std::size_t>(kFloat)] = multiply<float>;
  products[static_cast<std::size_t>(kDouble)] = multiply<double>;
}

}  // namespace d2l::backend::cuda
