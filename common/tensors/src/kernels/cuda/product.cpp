// SPDX-License-Identifier: MIT
// Floating-point matrix products by cuBLAS, in the precision of the dtype; those of 16 bits sum floats.
#include <cublas_v2.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "backend/cuda/errors/check.h"
#include "base/message.h"
#include "kernels/blas_operand.h"
#include "kernels/cuda/cublas_kernels.h"
#include "kernels/element.h"

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
  using Factor = kernels::Compute<T>;
  const auto beta = static_cast<Factor>(arguments.parameters[0].real);
  if (k == 0 && beta == Factor{0}) {
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
    const Factor one{1};
    D2L_CUDA_CHECK(function(library, operation(b), operation(a), m, n, k, &one, b.data(), b.leading(), b.batch_stride(),
                            a.data(), a.leading(), a.batch_stride(), &beta, out, m, n * m, batch));
  };
  if constexpr (kernels::is_sixteen_bits<T>) {
    // The variant whose sizes have 64 bits is new in CUDA 12.
    constexpr std::int64_t largest = std::numeric_limits<int>::max();
    if (std::max({n, k, m, batch}) > largest) {
      detail::fail<ShapeError>("matmul", "a size of a product of float16 or bfloat16 numbers is 2^31 or more", {},
                               "convert the matrices first, for example x.to(kFloat)");
    }
    const auto type_of_library = std::is_same_v<T, Half> ? CUDA_R_16F : CUDA_R_16BF;
    D2L_CUDA_CHECK(cublasSetMathMode(library, CUBLAS_DEFAULT_MATH));
    const Factor one{1};
    D2L_CUDA_CHECK(cublasGemmStridedBatchedEx(
        library, operation(b), operation(a), static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), &one,
        b.data(), type_of_library, static_cast<int>(b.leading()), b.batch_stride(), a.data(), type_of_library,
        static_cast<int>(a.leading()), a.batch_stride(), &beta, out, type_of_library, static_cast<int>(m), n * m,
        static_cast<int>(batch), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  } else if constexpr (std::is_same_v<T, float>) {
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
  products[static_cast<std::size_t>(kHalf)] = multiply<Half>;
  products[static_cast<std::size_t>(kBFloat16)] = multiply<BFloat16>;
  products[static_cast<std::size_t>(kFloat)] = multiply<float>;
  products[static_cast<std::size_t>(kDouble)] = multiply<double>;
}

}  // namespace d2l::backend::cuda
