// SPDX-License-Identifier: MIT
// cuBLAS by CBLAS on the queue's thread.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

#include "libraries/cublas_handle.h"

using namespace d2l::emulator;

namespace {

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* text;
};
constexpr StatusText texts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the GPU program failed to execute"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality requested is not supported"},
};

const StatusText* find(cublasStatus_t status) {
  for (const auto& one : texts) {
    if (one.status == status) return &one;
  }
  return nullptr;
}

/// True if sizes of 64 bits fit into the 32 bits of CBLAS.
bool fit(std::initializer_list<std::int64_t> sizes) {
  return std::ranges::all_of(sizes, [](std::int64_t size) { return std::in_range<int>(size); });
}

}  // namespace

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (cudaFree(nullptr) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = std::make_unique<cublasContext>().release();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  const std::unique_ptr<cublasContext> owner(handle);
  return owner ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->math = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusName(cublasStatus_t status) {
  const auto* const found = find(status);
  return found == nullptr ? "<unknown>" : found->name;
}
const char* cublasGetStatusString(cublasStatus_t status) {
  const auto* const found = find(status);
  return found == nullptr ? "<unknown>" : found->text;
}

#define D2L_CUBLAS(letter, small, T)                                                                                  \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,       \
                                      int incy) {                                                                     \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                      \
    const Scalar scalar(handle, alpha);                                                                               \
    return push(handle, true, [=] { cblas_##small##axpy(n, scalar.get(), at(x), incx, at(y), incy); });               \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {                 \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                      \
    const Scalar scalar(handle, alpha);                                                                               \
    return push(handle, true, [=] { cblas_##small##scal(n, scalar.get(), at(x), incx); });                            \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,        \
                                     T* result) {                                                                     \
    return push(                                                                                                      \
        handle, true, [=] { *at(result) = cblas_##small##dot(n, at(x), incx, at(y), incy); }, true);                  \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {                \
    return push(                                                                                                      \
        handle, true, [=] { *at(result) = cblas_##small##nrm2(n, at(x), incx); }, true);                              \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result) {                \
    return push(                                                                                                      \
        handle, true, [=] { *at(result) = cblas_##small##asum(n, at(x), incx); }, true);                              \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,   \
                                      const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {     \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                      \
    const Scalar first(handle, alpha), second(handle, beta);                                                          \
    return push(handle, m >= 0 && n >= 0 && lda >= m, [=] {                                                           \
      cblas_##small##gemv(CblasColMajor, transposed(trans), m, n, first.get(), at(a), lda, at(x), incx, second.get(), \
                          at(y), incy);                                                                               \
    });                                                                                                               \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha, \
      const T* a, int lda, long long stridea, const T* b, int ldb, long long strideb, const T* beta, T* c, int ldc,   \
      long long stridec, int count) {                                                                                 \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                      \
    const Scalar first(handle, alpha), second(handle, beta);                                                          \
    const bool valid = m >= 0 && n >= 0 && k >= 0 && count >= 0 && ldc >= m &&                                        \
                       lda >= (transa == CUBLAS_OP_N ? m : k) && ldb >= (transb == CUBLAS_OP_N ? k : n);              \
    return push(handle, valid, [=, math = handle->math] {                                                             \
      for (int i = 0; i < count; ++i) {                                                                               \
        const Factor<T> left(math, at(a) + i * stridea, lda, transa == CUBLAS_OP_N ? m : k,                           \
                             transa == CUBLAS_OP_N ? k : m);                                                          \
        const Factor<T> right(math, at(b) + i * strideb, ldb, transb == CUBLAS_OP_N ? k : n,                          \
                              transb == CUBLAS_OP_N ? n : k);                                                         \
        cblas_##small##gemm(CblasColMajor, transposed(transa), transposed(transb), m, n, k, first.get(), left.data(), \
                            lda, right.data(), ldb, second.get(), at(c) + i * stridec, ldc);                          \
      }                                                                                                               \
    });                                                                                                               \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##gemmStridedBatched_64(                                                               \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k,     \
      const T* alpha, const T* a, int64_t lda, long long stridea, const T* b, int64_t ldb, long long strideb,         \
      const T* beta, T* c, int64_t ldc, long long stridec, int64_t count) {                                           \
    if (!fit({m, n, k, lda, ldb, ldc, count})) return CUBLAS_STATUS_NOT_SUPPORTED;                                    \
    const auto narrow = [](int64_t value) { return static_cast<int>(value); };                                        \
    return cublas##letter##gemmStridedBatched(handle, transa, transb, narrow(m), narrow(n), narrow(k), alpha, a,      \
                                              narrow(lda), stridea, b, narrow(ldb), strideb, beta, c, narrow(ldc),    \
                                              stridec, narrow(count));                                                \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,      \
                                      int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                      const T* beta, T* c, int ldc) {                                                 \
    return cublas##letter##gemmStridedBatched(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c,  \
                                              ldc, 0, 1);                                                             \
  }
D2L_CUBLAS(S, s, float)
D2L_CUBLAS(D, d, double)
#undef D2L_CUBLAS
