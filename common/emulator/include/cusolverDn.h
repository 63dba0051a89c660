// SPDX-License-Identifier: MIT
// In place of the toolkit's header: the part of cuSOLVER for dense matrices that the emulator has. Matrices are
// column-major.
#pragma once

#include "cublas_v2.h"
#include "cuda_runtime.h"
#include "cusolver_common.h"

// NOLINTBEGIN: the names are CUDA's.
#define CUSOLVERDN_H_

struct cusolverDnContext;
using cusolverDnHandle_t = cusolverDnContext*;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream);

/// Of each letter: the factors of Cholesky, LU (without pivots if `pivots` is null) and QR, and solutions with them;
/// eigenvalues of symmetric matrices, singular values of matrices with m >= n.
#define D2L_CUSOLVER(letter, T)                                                                                        \
  cusolverStatus_t cusolverDn##letter##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* a, \
                                                        int lda, int* lwork);                                          \
  cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* a, int lda,   \
                                             T* work, int lwork, int* info);                                           \
  cusolverStatus_t cusolverDn##letter##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,        \
                                             const T* a, int lda, T* b, int ldb, int* info);                           \
  cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* a, int lda,        \
                                                        int* lwork);                                                   \
  cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* work,          \
                                             int* pivots, int* info);                                                  \
  cusolverStatus_t cusolverDn##letter##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,      \
                                             const T* a, int lda, const int* pivots, T* b, int ldb, int* info);        \
  cusolverStatus_t cusolverDn##letter##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* a, int lda,        \
                                                        int* lwork);                                                   \
  cusolverStatus_t cusolverDn##letter##geqrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* tau, T* work,  \
                                             int lwork, int* info);                                                    \
  cusolverStatus_t cusolverDn##letter##orgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const T* a,    \
                                                        int lda, const T* tau, int* lwork);                            \
  cusolverStatus_t cusolverDn##letter##orgqr(cusolverDnHandle_t handle, int m, int n, int k, T* a, int lda,            \
                                             const T* tau, T* work, int lwork, int* info);                             \
  cusolverStatus_t cusolverDn##letter##ormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,              \
                                                        cublasOperation_t trans, int m, int n, int k, const T* a,      \
                                                        int lda, const T* tau, const T* c, int ldc, int* lwork);       \
  cusolverStatus_t cusolverDn##letter##ormqr(cusolverDnHandle_t handle, cublasSideMode_t side,                         \
                                             cublasOperation_t trans, int m, int n, int k, const T* a, int lda,        \
                                             const T* tau, T* c, int ldc, T* work, int lwork, int* info);              \
  cusolverStatus_t cusolverDn##letter##syevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,             \
                                                        cublasFillMode_t uplo, int n, const T* a, int lda, const T* w, \
                                                        int* lwork);                                                   \
  cusolverStatus_t cusolverDn##letter##syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t uplo, \
                                             int n, T* a, int lda, T* w, T* work, int lwork, int* info);               \
  cusolverStatus_t cusolverDn##letter##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork);          \
  cusolverStatus_t cusolverDn##letter##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,    \
                                             int n, T* a, int lda, T* s, T* u, int ldu, T* vt, int ldvt, T* work,      \
                                             int lwork, T* rwork, int* info);
D2L_CUSOLVER(S, float)
D2L_CUSOLVER(D, double)
#undef D2L_CUSOLVER

#include "d2l_emulator/solver/generic.h"
#include "d2l_emulator/solver/jacobi.h"
// NOLINTEND
