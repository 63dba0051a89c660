// SPDX-License-Identifier: MIT
// In place of hipSOLVER's header: its names for those of cuSOLVER, and its own forms of them, which take the size of
// the work area.
#pragma once

#include "d2l_emulator/hip/solver_names.h"
#include "hip/hip_complex.h"
#include "hip/hip_runtime_api.h"

// NOLINTBEGIN: the names are hipSOLVER's.
#define hipsolverVersionMajor 2
#define hipsolverVersionMinor 4
#define HIPSOLVER_STATUS_HANDLE_IS_NULLPTR static_cast<hipsolverStatus_t>(1001)
#define HIPSOLVER_STATUS_INVALID_ENUM static_cast<hipsolverStatus_t>(1002)
#define HIPSOLVER_STATUS_UNKNOWN static_cast<hipsolverStatus_t>(1003)
#define D2L_HIPSOLVER(LETTER, T)                                                                                      \
  inline hipsolverStatus_t hipsolver##LETTER##getrf_bufferSize(hipsolverHandle_t handle, int m, int n, T* a, int lda, \
                                                               int* work_size) {                                      \
    return cusolverDn##LETTER##getrf_bufferSize(handle, m, n, a, lda, work_size);                                     \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##getrf(hipsolverHandle_t handle, int m, int n, T* a, int lda, T* work,   \
                                                    int, int* pivots, int* info) {                                    \
    return cusolverDn##LETTER##getrf(handle, m, n, a, lda, work, pivots, info);                                       \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##getrs_bufferSize(hipsolverHandle_t, hipsolverOperation_t, int, int, T*, \
                                                               int, int*, T*, int, int* work_size) {                  \
    *work_size = 0;                                                                                                   \
    return CUSOLVER_STATUS_SUCCESS;                                                                                   \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##getrs(hipsolverHandle_t handle, hipsolverOperation_t trans, int n,      \
                                                    int nrhs, T* a, int lda, int* pivots, T* b, int ldb, T*, int,     \
                                                    int* info) {                                                      \
    return cusolverDn##LETTER##getrs(handle, trans, n, nrhs, a, lda, pivots, b, ldb, info);                           \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##potrf_bufferSize(hipsolverHandle_t handle, hipsolverFillMode_t uplo,    \
                                                               int n, T* a, int lda, int* work_size) {                \
    return cusolverDn##LETTER##potrf_bufferSize(handle, uplo, n, a, lda, work_size);                                  \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##potrf(hipsolverHandle_t handle, hipsolverFillMode_t uplo, int n, T* a,  \
                                                    int lda, T* work, int work_size, int* info) {                     \
    return cusolverDn##LETTER##potrf(handle, uplo, n, a, lda, work, work_size, info);                                 \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##geqrf_bufferSize(hipsolverHandle_t handle, int m, int n, T* a, int lda, \
                                                               int* work_size) {                                      \
    return cusolverDn##LETTER##geqrf_bufferSize(handle, m, n, a, lda, work_size);                                     \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##geqrf(hipsolverHandle_t handle, int m, int n, T* a, int lda, T* tau,    \
                                                    T* work, int work_size, int* info) {                              \
    return cusolverDn##LETTER##geqrf(handle, m, n, a, lda, tau, work, work_size, info);                               \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##syevd_bufferSize(hipsolverHandle_t handle, hipsolverEigMode_t mode,     \
                                                               hipsolverFillMode_t uplo, int n, T* a, int lda,        \
                                                               T* values, int* work_size) {                           \
    return cusolverDn##LETTER##syevd_bufferSize(handle, mode, uplo, n, a, lda, values, work_size);                    \
  }                                                                                                                   \
  inline hipsolverStatus_t hipsolver##LETTER##syevd(hipsolverHandle_t handle, hipsolverEigMode_t mode,                \
                                                    hipsolverFillMode_t uplo, int n, T* a, int lda, T* values,        \
                                                    T* work, int work_size, int* info) {                              \
    return cusolverDn##LETTER##syevd(handle, mode, uplo, n, a, lda, values, work, work_size, info);                   \
  }
D2L_HIPSOLVER(S, float)
D2L_HIPSOLVER(D, double)
#undef D2L_HIPSOLVER
// NOLINTEND
