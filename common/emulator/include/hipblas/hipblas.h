// SPDX-License-Identifier: MIT
// In place of hipBLAS's header: its names for those of cuBLAS.
#pragma once

#include "d2l_emulator/hip/blas_names.h"
#include "hip/hip_bf16.h"
#include "hip/hip_complex.h"
#include "hip/hip_fp16.h"
#include "hip/hip_runtime_api.h"

// NOLINTBEGIN: the names are hipBLAS's.
#define hipblasVersionMajor 2
#define hipblasVersionMinor 4
using hipblasStride = long long;
using hipblasHalf = __half;
using hipblasBfloat16 = __hip_bfloat16;
using hipblasComplex = hipComplex;
using hipblasDoubleComplex = hipDoubleComplex;

/// `compute` is a hipblasComputeType_t or, as before hipBLAS 2, the type of the elements.
template <class Compute>
hipblasStatus_t hipblasGemmEx(hipblasHandle_t handle, hipblasOperation_t transa, hipblasOperation_t transb, int m,
                              int n, int k, const void* alpha, const void* a, hipDataType a_type, int lda,
                              const void* b, hipDataType b_type, int ldb, const void* beta, void* c, hipDataType c_type,
                              int ldc, Compute compute, hipblasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                      compute, algorithm);
}
#define hipblasGemmStridedBatchedEx cublasGemmStridedBatchedEx
#define hipblasGemmEx_v2 hipblasGemmEx
// NOLINTEND
