// SPDX-License-Identifier: MIT
// Floating-point matrix products by cuBLAS, in the precision of the dtype.
#include <cublas_v2.h>

#include <type_traits>

#include "backend/cuda/errors/check.h"
#include "kernels/blas_operand.h"
#include "kernels/cuda/cublas_kernels.h"

namespace d2l::backend::cuda {
namespace {

using kernels::BlasOperand;

template <class T>
cublasOperation_t operation(const BlasOperand<T>& operand) {
  return operand.transposed() ? CUBLAS_OP_T : CUBLAS_OP_N;
}

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
  const auto type = static_cast<std::size_t>(arguments.operands[1].dtype);
  const Kernel copy = cuda_kernels().copies[type][type];
  const BlasOperand<T> a(context, arguments.operands[1], batch, n, k, copy);
  const BlasOperand<T> b(context, arguments.operands[2], batch, k, m, copy);
  auto* const library = static_cast<cublasHandle_t>(context.library(context));
  const auto gemm = [&](auto function) {
    // cuBLAS is column-major: our rows are its columns, so it computes the transpose, bᵀ × aᵀ.
    const T one{1};
    D2L_CUDA_CHECK(function(library, operation(b), operation(a), m, n, k, &one, b.data(), b.leading(), b.batch_stride(),
                            a.data(), a.leading(), a.batch_stride(), &beta, out, m, n * m, batch));
  };
  if constexpr (std::is_same_v<T, float>) {
    const bool may_round = arguments.parameters[1].integer != 0;
    D2L_CUDA_CHECK(cublasSetMathMode(library, may_round ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH));
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
