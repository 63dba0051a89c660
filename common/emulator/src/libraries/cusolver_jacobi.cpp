// SPDX-License-Identifier: MIT
// cuSOLVER's functions by Jacobi's method: here they are syevd and gesvd.
#include <memory>

#include "libraries/cusolver_work.h"

struct syevjInfo {
  double tolerance = 0;
  int sweeps = 100;
  int sort = 1;
};
struct gesvdjInfo : syevjInfo {};

namespace d2l::emulator::solver {
namespace {

bool is_mode(cusolverEigMode_t mode) { return mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR; }

/// The columns of u and of v.
struct Columns {
  int u, v;
};
Columns columns_of_vectors(cusolverEigMode_t mode, int econ, int m, int n) {
  if (mode == CUSOLVER_EIG_MODE_NOVECTOR) return {0, 0};
  return econ == 0 ? Columns{m, n} : Columns{std::min(m, n), std::min(m, n)};
}

template <class T>
bool are_vectors(cusolverEigMode_t mode, int econ, int m, int n, const T* u, int ldu, const T* v, int ldv) {
  const Columns columns = columns_of_vectors(mode, econ, m, n);
  const bool needed = mode == CUSOLVER_EIG_MODE_VECTOR;
  return is_mode(mode) && (!needed || (is_matrix(u, m, columns.u, ldu) && is_matrix(v, n, columns.v, ldv)));
}

template <class T>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int econ, int m, int n, T* a, int lda, T* s,
                        T* u, int ldu, T* v, int ldv, T* work, int lwork, int* info, const gesvdjInfo* parameters) {
  const int count = std::min(m, n);
  const Columns columns = columns_of_vectors(mode, econ, m, n);
  const bool is_valid = is_matrix(a, m, n, lda) && are_vectors(mode, econ, m, n, u, ldu, v, ldv) &&
                        (s != nullptr || count == 0) && parameters != nullptr && work != nullptr &&
                        lwork >= work_size(m, n);
  return submit(
      handle, is_valid, info,
      [&] {
        return Memories{matrix(a, m, n, lda, both), vector(s, count, write),
                        matrix(u, m, columns.u, std::max(ldu, m), write),
                        matrix(v, n, columns.v, std::max(ldv, n), write), vector(work, work_size(m, n), write)};
      },
      [=] {
        const char job = mode == CUSOLVER_EIG_MODE_NOVECTOR ? 'N' : (econ == 0 ? 'A' : 'S');
        const int leading = std::max(1, columns.v);
        std::vector<T> transposed(size(leading) * size(n));
        const int result =
            lapack::gesvd(job, job, m, n, at(a), lda, at(s), at(u), std::max(ldu, 1), transposed.data(), leading);
        for (int row = 0; row < n; ++row) {
          for (int column = 0; column < columns.v; ++column) {
            at(v)[size(row) + size(column) * size(ldv)] = transposed[size(column) + size(row) * size(leading)];
          }
        }
        return result;
      });
}

template <class Info, class T>
cusolverStatus_t tell(cusolverDnHandle_t handle, const Info* info, T value, T* to) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (info == nullptr || to == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *to = value;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace d2l::emulator::solver

using namespace d2l::emulator;
using namespace d2l::emulator::solver;

#define D2L_JACOBI(name, Name)                                                                                   \
  cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t* info) {                                            \
    if (info == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                                                   \
    *info = std::make_unique<name##Info>().release();                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                                              \
  }                                                                                                              \
  cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t info) {                                            \
    const std::unique_ptr<name##Info> owner(info);                                                               \
    return owner ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                                      \
  }                                                                                                              \
  cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t info, double tolerance) {                        \
    if (info == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                                                   \
    info->tolerance = tolerance;                                                                                 \
    return CUSOLVER_STATUS_SUCCESS;                                                                              \
  }                                                                                                              \
  cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t info, int sweeps) {                              \
    if (info == nullptr || sweeps < 0) return CUSOLVER_STATUS_INVALID_VALUE;                                     \
    info->sweeps = sweeps;                                                                                       \
    return CUSOLVER_STATUS_SUCCESS;                                                                              \
  }                                                                                                              \
  cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t info, int sort) {                                  \
    if (info == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                                                   \
    info->sort = sort;                                                                                           \
    return CUSOLVER_STATUS_SUCCESS;                                                                              \
  }                                                                                                              \
  /* Another method has neither: 0. */                                                                           \
  cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, name##Info_t info, double* value) { \
    return tell(handle, info, 0.0, value);                                                                       \
  }                                                                                                              \
  cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, name##Info_t info, int* value) {      \
    return tell(handle, info, 0, value);                                                                         \
  }
D2L_JACOBI(syevj, Syevj)
D2L_JACOBI(gesvdj, Gesvdj)
#undef D2L_JACOBI

#define D2L_JACOBI(letter, T)                                                                                          \
  cusolverStatus_t cusolverDn##letter##syevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,             \
                                                        cublasFillMode_t uplo, int n, const T*, int lda, const T*,     \
                                                        int* lwork, syevjInfo_t parameters) {                          \
    const bool is_valid = is_mode(mode) && valid(uplo) && lda >= n && parameters != nullptr;                           \
    return tell_work_size(handle, is_valid, n, n, lwork);                                                              \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##syevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t uplo, \
                                             int n, T* a, int lda, T* w, T* work, int lwork, int* info,                \
                                             syevjInfo_t parameters) {                                                 \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    if (handle != nullptr && parameters == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                              \
    return syevd(handle, mode, uplo, n, a, lda, w, work, lwork, info);                                                 \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int,       \
                                                         int m, int n, const T*, int lda, const T*, const T*, int,     \
                                                         const T*, int, int* lwork, gesvdjInfo_t parameters) {         \
    return tell_work_size(handle, is_mode(mode) && lda >= m && parameters != nullptr, m, n, lwork);                    \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int econ, int m,      \
                                              int n, T* a, int lda, T* s, T* u, int ldu, T* v, int ldv, T* work,       \
                                              int lwork, int* info, gesvdjInfo_t parameters) {                         \
    const ApiCall call(__builtin_return_address(0));                                                                   \
    return gesvdj(handle, mode, econ, m, n, a, lda, s, u, ldu, v, ldv, work, lwork, info, parameters);                 \
  }
D2L_JACOBI(S, float)
D2L_JACOBI(D, double)
#undef D2L_JACOBI
