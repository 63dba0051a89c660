// SPDX-License-Identifier: MIT
// In place of the toolkit's header: the part of cuBLAS that the emulator has. Matrices are column-major.
#pragma once

// As the toolkit's header does; programs rely on it.
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define CUBLAS_API_H_
#define CUBLAS_V2_H_
#define CUBLAS_VERSION 130000
#define CUBLAS_VER_MAJOR 13

struct cublasContext;
using cublasHandle_t = cublasContext*;

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
};

enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
};
enum cublasGemmAlgo_t {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
};

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

/// Matrices of float, double, half or bfloat16, as the types tell. Products of half numbers are added in float.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            int k, const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, long long stridea, const void* b, cudaDataType b_type, int ldb,
                                          long long strideb, const void* beta, void* c, cudaDataType c_type, int ldc,
                                          long long stridec, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);

/// Before cuBLAS 11, the type of the computation was that of data.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                   int n, int k, const void* alpha, const void* a, cudaDataType a_type, int lda,
                                   const void* b, cudaDataType b_type, int ldb, const void* beta, void* c,
                                   cudaDataType c_type, int ldc, cudaDataType compute, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t type;
  switch (compute) {
    case CUDA_R_16F:
      type = CUBLAS_COMPUTE_16F;
      break;
    case CUDA_R_32F:
      type = CUBLAS_COMPUTE_32F;
      break;
    case CUDA_R_64F:
      type = CUBLAS_COMPUTE_64F;
      break;
    case CUDA_R_32I:
      type = CUBLAS_COMPUTE_32I;
      break;
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                      type, algorithm);
}

#define D2L_CUBLAS(letter, T)                                                                                         \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,       \
                                      int incy);                                                                      \
  cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);                  \
  cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,        \
                                     T* result);                                                                      \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result);                 \
  cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result);                 \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,   \
                                      const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy);      \
  cublasStatus_t cublas##letter##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,      \
                                      int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                      const T* beta, T* c, int ldc);                                                  \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha, \
      const T* a, int lda, long long stridea, const T* b, int ldb, long long strideb, const T* beta, T* c, int ldc,   \
      long long stridec, int count);                                                                                  \
  cublasStatus_t cublas##letter##gemmStridedBatched_64(                                                               \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k,     \
      const T* alpha, const T* a, int64_t lda, long long stridea, const T* b, int64_t ldb, long long strideb,         \
      const T* beta, T* c, int64_t ldc, long long stridec, int64_t count);
D2L_CUBLAS(S, float)
D2L_CUBLAS(D, double)
#undef D2L_CUBLAS

#define D2L_CUBLAS(letter, small, T)                                                                                   \
  cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy);             \
  cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);                   \
  cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result);                \
  cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result);                \
  cublasStatus_t cublas##letter##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* cosine,    \
                                     const T* sine);                                                                   \
  cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,        \
                                     const T* y, int incy, T* a, int lda);                                             \
  cublasStatus_t cublas##letter##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* a, \
                                      int lda, const T* x, int incx, const T* beta, T* y, int incy);                   \
  cublasStatus_t cublas##letter##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,           \
                                      cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int incx);          \
  cublasStatus_t cublas##letter##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,             \
                                      cublasOperation_t trans, cublasDiagType_t diagonal, int m, int n,                \
                                      const T* alpha, const T* a, int lda, T* b, int ldb);                             \
  cublasStatus_t cublas##letter##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m,      \
                                      int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta,  \
                                      T* c, int ldc);                                                                  \
  cublasStatus_t cublas##letter##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,    \
                                      int k, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc);       \
  cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,       \
                                      int m, int n, const T* alpha, const T* a, int lda, const T* beta, const T* b,    \
                                      int ldb, T* c, int ldc);                                                         \
  cublasStatus_t cublas##letter##gemmBatched(                                                                          \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha,  \
      const T* const a[], int lda, const T* const b[], int ldb, const T* beta, T* const c[], int ldc, int count);
D2L_CUBLAS(S, s, float)
D2L_CUBLAS(D, d, double)
#undef D2L_CUBLAS
