// SPDX-License-Identifier: MIT
// cuSOLVER's functions with sizes of 64 bits, whose types are known when the program runs: float or double.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cublas_v2.h"
#include "cusolver_common.h"

// NOLINTBEGIN: the names are CUDA's.
using cusolverDnParams_t = struct cusolverDnParams*;
enum cusolverDnFunction_t { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 };
enum cusolverAlgMode_t { CUSOLVER_ALG_0 = 0, CUSOLVER_ALG_1 = 1, CUSOLVER_ALG_2 = 2 };

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* parameters);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t parameters, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm);

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType type, const void* a,
                                             int64_t lda, cudaDataType compute, size_t* device_bytes,
                                             size_t* host_bytes);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType type, void* a, int64_t lda, cudaDataType compute,
                                  void* device_work, size_t device_bytes, void* host_work, size_t host_bytes,
                                  int* info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType type, const void* a, int64_t lda,
                                  cudaDataType b_type, void* b, int64_t ldb, int* info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m,
                                             int64_t n, cudaDataType type, const void* a, int64_t lda,
                                             cudaDataType compute, size_t* device_bytes, size_t* host_bytes);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, int64_t* pivots, cudaDataType compute,
                                  void* device_work, size_t device_bytes, void* host_work, size_t host_bytes,
                                  int* info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType type, const void* a, int64_t lda,
                                  const int64_t* pivots, cudaDataType b_type, void* b, int64_t ldb, int* info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m,
                                             int64_t n, cudaDataType type, const void* a, int64_t lda,
                                             cudaDataType tau_type, const void* tau, cudaDataType compute,
                                             size_t* device_bytes, size_t* host_bytes);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t parameters, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType tau_type, void* tau,
                                  cudaDataType compute, void* device_work, size_t device_bytes, void* host_work,
                                  size_t host_bytes, int* info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters,
                                             cusolverEigMode_t mode, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType type, const void* a, int64_t lda, cudaDataType w_type,
                                             const void* w, cudaDataType compute, size_t* device_bytes,
                                             size_t* host_bytes);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t parameters, cusolverEigMode_t mode,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType w_type, void* w, cudaDataType compute, void* device_work,
                                  size_t device_bytes, void* host_work, size_t host_bytes, int* info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t parameters, signed char jobu,
                                             signed char jobvt, int64_t m, int64_t n, cudaDataType type, const void* a,
                                             int64_t lda, cudaDataType s_type, const void* s, cudaDataType u_type,
                                             const void* u, int64_t ldu, cudaDataType vt_type, const void* vt,
                                             int64_t ldvt, cudaDataType compute, size_t* device_bytes,
                                             size_t* host_bytes);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t parameters, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType s_type, void* s, cudaDataType u_type, void* u, int64_t ldu,
                                  cudaDataType vt_type, void* vt, int64_t ldvt, cudaDataType compute, void* device_work,
                                  size_t device_bytes, void* host_work, size_t host_bytes, int* info);
// NOLINTEND
