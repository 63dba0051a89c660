// SPDX-License-Identifier: MIT
// The functions of cuBLAS that the library itself does not call: vectors, triangular and symmetric matrices, types.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "libraries/cublas_handle.h"
#include "libraries/matrix_elements.h"

using namespace d2l::emulator;

namespace {

CBLAS_UPLO part(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper; }
CBLAS_SIDE cblas_side(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight; }
CBLAS_DIAG cblas_diagonal(cublasDiagType_t kind) { return kind == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit; }

/// The number, from 1, of the element with the best magnitude; 0 if there is none.
template <class T, class Better>
int best_element(int n, const T* x, int incx, Better better) {
  int best = 0;
  for (int i = 1; i <= n && incx > 0; ++i) {
    const auto magnitude = [&](int number) { return std::abs(x[std::ptrdiff_t{number - 1} * incx]); };
    if (best == 0 || better(magnitude(i), magnitude(best))) best = i;
  }
  return best;
}

template <class T>
T element(cublasOperation_t operation, const T* matrix, int ld, int row, int column) {
  return operation == CUBLAS_OP_N ? matrix[row + std::ptrdiff_t{column} * ld]
                                  : matrix[column + std::ptrdiff_t{row} * ld];
}

cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_matrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  if (rows < 0 || columns < 0 || bytes <= 0 || lda < rows || ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
  const auto size = static_cast<std::size_t>(bytes);
  return status_of(cudaMemcpy2D(b, static_cast<std::size_t>(ldb) * size, a, static_cast<std::size_t>(lda) * size,
                                static_cast<std::size_t>(rows) * size, static_cast<std::size_t>(columns),
                                cudaMemcpyDefault));
}

/// A copy in float or double of rows × columns elements.
template <class T>
std::vector<T> widened(const void* memory, cudaDataType type, int rows, int columns, int ld) {
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) {
      result.push_back(static_cast<T>(read(memory, type, row + std::ptrdiff_t{column} * ld)));
    }
  }
  return result;
}
void multiply(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha, const float* a, int lda,
              const float* b, int ldb, float beta, float* c) {
  cblas_sgemm(CblasColMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, std::max(1, m));
}
void multiply(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha, const double* a, int lda,
              const double* b, int ldb, double beta, double* c) {
  cblas_dgemm(CblasColMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, std::max(1, m));
}

struct Operand {
  const void* memory;
  cudaDataType type;
  int ld;
  long long stride;
  cublasOperation_t operation;
};
struct Product {
  int m, n, k;
  Operand a, b, c;
};

template <class T>
void run_product(const Product& p, T alpha, T beta, long long number) {
  const auto place = [number](const Operand& one) {
    const long long bytes = one.type == CUDA_R_64F ? 8 : (one.type == CUDA_R_32F ? 4 : 2);
    return static_cast<char*>(contents_of(one.memory)) + number * one.stride * bytes;
  };
  const auto matrix = [&](const Operand& one, int rows, int columns) {
    return one.operation == CUBLAS_OP_N ? widened<T>(place(one), one.type, rows, columns, one.ld)
                                        : widened<T>(place(one), one.type, columns, rows, one.ld);
  };
  const auto a = matrix(p.a, p.m, p.k);
  const auto b = matrix(p.b, p.k, p.n);
  std::vector<T> c(static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n));
  if (beta != T{0}) c = matrix(p.c, p.m, p.n);
  multiply(transposed(p.a.operation), transposed(p.b.operation), p.m, p.n, p.k, alpha, a.data(),
           std::max(1, p.a.operation == CUBLAS_OP_N ? p.m : p.k), b.data(),
           std::max(1, p.b.operation == CUBLAS_OP_N ? p.k : p.n), beta, c.data());
  for (int column = 0; column < p.n; ++column) {
    for (int row = 0; row < p.m; ++row) {
      write(place(p.c), p.c.type, row + std::ptrdiff_t{column} * p.c.ld,
            static_cast<double>(c[static_cast<std::size_t>(row + std::ptrdiff_t{column} * p.m)]));
    }
  }
}

template <class T>
cublasStatus_t push_products(cublasHandle_t handle, const Product& p, const Scalar<T>& alpha, const Scalar<T>& beta,
                             int count) {
  return push(handle, p.m >= 0 && p.n >= 0 && p.k >= 0, [=] {
    for (int i = 0; i < count; ++i) run_product<T>(p, alpha.get(), beta.get(), i);
  });
}

}  // namespace

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->math;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t /*mode*/) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* /*workspace*/, size_t /*bytes*/) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t /*handle*/, int* version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copy_matrix(1, n, bytes, x, incx, y, incy);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copy_matrix(1, n, bytes, x, incx, y, incy);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return copy_matrix(rows, columns, bytes, a, lda, b, ldb);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return copy_matrix(rows, columns, bytes, a, lda, b, ldb);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, long long stridea, const void* b, cudaDataType b_type, int ldb,
                                          long long strideb, const void* beta, void* c, cudaDataType c_type, int ldc,
                                          long long stridec, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t /*algorithm*/) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!known(a_type) || !known(b_type) || !known(c_type) || compute == CUBLAS_COMPUTE_32I) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const Product product{m,
                        n,
                        k,
                        {a, a_type, lda, stridea, transa},
                        {b, b_type, ldb, strideb, transb},
                        {c, c_type, ldc, stridec, CUBLAS_OP_N}};
  if (compute == CUBLAS_COMPUTE_64F) {
    return push_products(handle, product, Scalar(handle, static_cast<const double*>(alpha)),
                         Scalar(handle, static_cast<const double*>(beta)), count);
  }
  if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC) {
    if (handle->mode != CUBLAS_POINTER_MODE_HOST) return CUBLAS_STATUS_NOT_SUPPORTED;
    const float first = static_cast<const __half*>(alpha)->wide();
    const float second = static_cast<const __half*>(beta)->wide();
    return push_products(handle, product, Scalar(handle, &first), Scalar(handle, &second), count);
  }
  return push_products(handle, product, Scalar(handle, static_cast<const float*>(alpha)),
                       Scalar(handle, static_cast<const float*>(beta)), count);
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            int k, const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, 0, b, b_type, ldb, 0, beta,
                                    c, c_type, ldc, 0, 1, compute, algorithm);
}

#define D2L_CUBLAS(letter, small, T)                                                                                   \
  cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {            \
    return push(handle, true, [=] { cblas_##small##copy(n, at(x), incx, at(y), incy); });                              \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {                  \
    return push(handle, true, [=] { cblas_##small##swap(n, at(x), incx, at(y), incy); });                              \
  }                                                                                                                    \
  cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result) {               \
    return push(                                                                                                       \
        handle, true, [=] { *at(result) = best_element(n, at(x), incx, [](T a, T b) { return a > b; }); }, true);      \
  }                                                                                                                    \
  cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result) {               \
    return push(                                                                                                       \
        handle, true, [=] { *at(result) = best_element(n, at(x), incx, [](T a, T b) { return a < b; }); }, true);      \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* cosine,    \
                                     const T* sine) {                                                                  \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, cosine), second(handle, sine);                                                          \
    return push(handle, true, [=] { cblas_##small##rot(n, at(x), incx, at(y), incy, first.get(), second.get()); });    \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,        \
                                     const T* y, int incy, T* a, int lda) {                                            \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, alpha);                                                                                 \
    return push(handle, lda >= m,                                                                                      \
                [=] { cblas_##small##ger(CblasColMajor, m, n, first.get(), at(x), incx, at(y), incy, at(a), lda); });  \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* a, \
                                      int lda, const T* x, int incx, const T* beta, T* y, int incy) {                  \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, alpha), second(handle, beta);                                                           \
    return push(handle, lda >= n, [=] {                                                                                \
      cblas_##small##symv(CblasColMajor, part(uplo), n, first.get(), at(a), lda, at(x), incx, second.get(), at(y),     \
                          incy);                                                                                       \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,           \
                                      cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int incx) {         \
    return push(handle, lda >= n, [=] {                                                                                \
      cblas_##small##trsv(CblasColMajor, part(uplo), transposed(trans), cblas_diagonal(diagonal), n, at(a), lda,       \
                          at(x), incx);                                                                                \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,             \
                                      cublasOperation_t trans, cublasDiagType_t diagonal, int m, int n,                \
                                      const T* alpha, const T* a, int lda, T* b, int ldb) {                            \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, alpha);                                                                                 \
    return push(handle, ldb >= m, [=] {                                                                                \
      cblas_##small##trsm(CblasColMajor, cblas_side(side), part(uplo), transposed(trans), cblas_diagonal(diagonal), m, \
                          n, first.get(), at(a), lda, at(b), ldb);                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m,      \
                                      int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta,  \
                                      T* c, int ldc) {                                                                 \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, alpha), second(handle, beta);                                                           \
    return push(handle, ldc >= m, [=] {                                                                                \
      cblas_##small##symm(CblasColMajor, cblas_side(side), part(uplo), m, n, first.get(), at(a), lda, at(b), ldb,      \
                          second.get(), at(c), ldc);                                                                   \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,    \
                                      int k, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) {      \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, alpha), second(handle, beta);                                                           \
    return push(handle, ldc >= n, [=] {                                                                                \
      cblas_##small##syrk(CblasColMajor, part(uplo), transposed(trans), n, k, first.get(), at(a), lda, second.get(),   \
                          at(c), ldc);                                                                                 \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,       \
                                      int m, int n, const T* alpha, const T* a, int lda, const T* beta, const T* b,    \
                                      int ldb, T* c, int ldc) {                                                        \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, alpha), second(handle, beta);                                                           \
    return push(handle, ldc >= m, [=] {                                                                                \
      const T x = first.get(), y = second.get();                                                                       \
      for (int column = 0; column < n; ++column) {                                                                     \
        for (int row = 0; row < m; ++row) {                                                                            \
          const T left = x == T{0} ? T{0} : x * element(transa, at(a), lda, row, column);                              \
          const T right = y == T{0} ? T{0} : y * element(transb, at(b), ldb, row, column);                             \
          at(c)[row + std::ptrdiff_t{column} * ldc] = left + right;                                                    \
        }                                                                                                              \
      }                                                                                                                \
    });                                                                                                                \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##gemmBatched(                                                                          \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha,  \
      const T* const a[], int lda, const T* const b[], int ldb, const T* beta, T* const c[], int ldc, int count) {     \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                       \
    const Scalar first(handle, alpha), second(handle, beta);                                                           \
    return push(handle, ldc >= m, [=] {                                                                                \
      for (int i = 0; i < count; ++i) {                                                                                \
        cblas_##small##gemm(CblasColMajor, transposed(transa), transposed(transb), m, n, k, first.get(), at(at(a)[i]), \
                            lda, at(at(b)[i]), ldb, second.get(), at(at(c)[i]), ldc);                                  \
      }                                                                                                                \
    });                                                                                                                \
  }
D2L_CUBLAS(S, s, float)
D2L_CUBLAS(D, d, double)
#undef D2L_CUBLAS
