// SPDX-License-Identifier: MIT
// cuSOLVER's functions that compute by Jacobi's method on a card. Here they give what syevd and gesvd give: the values
// are sorted, and the parameters of the method have no effect.
#pragma once

#include "cublas_v2.h"
#include "cusolver_common.h"

// NOLINTBEGIN: the names are CUDA's.
using syevjInfo_t = struct syevjInfo*;
using gesvdjInfo_t = struct gesvdjInfo*;

#define D2L_JACOBI(name, Name)                                                                                \
  cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t* info);                                          \
  cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t info);                                          \
  cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t info, double tolerance);                      \
  cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t info, int sweeps);                            \
  cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t info, int sort);                                \
  cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, name##Info_t info, double* out); \
  cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, name##Info_t info, int* out);
D2L_JACOBI(syevj, Syevj)
D2L_JACOBI(gesvdj, Gesvdj)
#undef D2L_JACOBI

/// The right singular vectors are columns of v: m x m and n x n elements, with `econ` min(m, n) columns each.
#define D2L_JACOBI(letter, T)                                                                                          \
  cusolverStatus_t cusolverDn##letter##syevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,             \
                                                        cublasFillMode_t uplo, int n, const T* a, int lda, const T* w, \
                                                        int* lwork, syevjInfo_t parameters);                           \
  cusolverStatus_t cusolverDn##letter##syevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t uplo, \
                                             int n, T* a, int lda, T* w, T* work, int lwork, int* info,                \
                                             syevjInfo_t parameters);                                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(                                                              \
      cusolverDnHandle_t handle, cusolverEigMode_t mode, int econ, int m, int n, const T* a, int lda, const T* s,      \
      const T* u, int ldu, const T* v, int ldv, int* lwork, gesvdjInfo_t parameters);                                  \
  cusolverStatus_t cusolverDn##letter##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int econ, int m,      \
                                              int n, T* a, int lda, T* s, T* u, int ldu, T* v, int ldv, T* work,       \
                                              int lwork, int* info, gesvdjInfo_t parameters);
D2L_JACOBI(S, float)
D2L_JACOBI(D, double)
#undef D2L_JACOBI
// NOLINTEND
