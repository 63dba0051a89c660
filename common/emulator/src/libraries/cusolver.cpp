// SPDX-License-Identifier: MIT
// cuSOLVER for dense matrices: the handle, and the functions of each type.
#include <memory>

#include "libraries/cusolver_work.h"

using namespace d2l::emulator;
using namespace d2l::emulator::solver;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (cudaFree(nullptr) != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *handle = std::make_unique<cusolverDnContext>().release();
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  const std::unique_ptr<cusolverDnContext> owner(handle);
  return owner ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (stream == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetVersion(int* version) {
  if (version == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUSOLVER_STATUS_INVALID_VALUE;
  constexpr int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  *value = parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}

// The functions of the programs; their parameters are those of cusolverDn.h.
#define D2L_CUSOLVER(letter, T)                                                                                        \
  cusolverStatus_t cusolverDn##letter##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T*,   \
                                                        int lda, int* lwork) {                                         \
    return tell_work_size(handle, valid(uplo) && lda >= n, n, n, lwork);                                               \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* a, int lda,   \
                                             T* work, int lwork, int* info) {                                          \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return potrf(handle, uplo, n, a, lda, work, lwork, info);                                                          \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,        \
                                             const T* a, int lda, T* b, int ldb, int* info) {                          \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return potrs(handle, uplo, n, nrhs, a, lda, b, ldb, info);                                                         \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T*, int lda,          \
                                                        int* lwork) {                                                  \
    return tell_work_size(handle, lda >= m, m, n, lwork);                                                              \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* work,          \
                                             int* pivots, int* info) {                                                 \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return getrf(handle, m, n, a, lda, work, pivots, info);                                                            \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,      \
                                             const T* a, int lda, const int* pivots, T* b, int ldb, int* info) {       \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return getrs(handle, trans, n, nrhs, a, lda, pivots, b, ldb, info);                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T*, int lda,          \
                                                        int* lwork) {                                                  \
    return tell_work_size(handle, lda >= m, m, n, lwork);                                                              \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##geqrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* tau, T* work,  \
                                             int lwork, int* info) {                                                   \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return geqrf(handle, m, n, a, lda, tau, work, lwork, info);                                                        \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##orgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const T*,      \
                                                        int lda, const T*, int* lwork) {                               \
    return tell_work_size(handle, n <= m && k >= 0 && k <= n && lda >= m, m, n, lwork);                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##orgqr(cusolverDnHandle_t handle, int m, int n, int k, T* a, int lda,            \
                                             const T* tau, T* work, int lwork, int* info) {                            \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return orgqr(handle, m, n, k, a, lda, tau, work, lwork, info);                                                     \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##ormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t,                   \
                                                        cublasOperation_t, int m, int n, int k, const T*, int,         \
                                                        const T*, const T*, int, int* lwork) {                         \
    return tell_work_size(handle, k >= 0, m, n, lwork);                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##ormqr(cusolverDnHandle_t handle, cublasSideMode_t side,                         \
                                             cublasOperation_t trans, int m, int n, int k, const T* a, int lda,        \
                                             const T* tau, T* c, int ldc, T* work, int lwork, int* info) {             \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return ormqr(handle, side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info);                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##syevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,                  \
                                                        cublasFillMode_t uplo, int n, const T*, int lda, const T*,     \
                                                        int* lwork) {                                                  \
    return tell_work_size(handle, valid(uplo) && lda >= n, n, n, lwork);                                               \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t uplo, \
                                             int n, T* a, int lda, T* w, T* work, int lwork, int* info) {              \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return syevd(handle, mode, uplo, n, a, lda, w, work, lwork, info);                                                 \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork) {         \
    return tell_work_size(handle, m >= n, m, n, lwork);                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,    \
                                             int n, T* a, int lda, T* s, T* u, int ldu, T* vt, int ldvt, T* work,      \
                                             int lwork, T* /*rwork*/, int* info) {                                     \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return gesvd(handle, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, info);                           \
  }
D2L_CUSOLVER(S, float)
D2L_CUSOLVER(D, double)
#undef D2L_CUSOLVER
