// SPDX-License-Identifier: MIT
// What the sources of cuSOLVER share: functions for dense matrices by LAPACK on the queue's thread. The work area of
// the program is not used, but it counts as written, as on a card.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "calls/call_site.h"
#include "cusolverDn.h"
#include "libraries/lapack.h"
#include "libraries/library_work.h"

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

namespace d2l::emulator::solver {

using enum LibraryUse;

inline std::size_t size(int value) { return static_cast<std::size_t>(value); }
inline char letter_of(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
inline char letter_of(cublasOperation_t operation) { return operation == CUBLAS_OP_N ? 'N' : 'T'; }
inline bool valid(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER; }
inline bool valid(cublasOperation_t operation) { return operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C; }
inline bool is_matrix(const void* a, int rows, int columns, int leading) {
  return rows >= 0 && columns >= 0 && leading >= std::max(1, rows) && (a != nullptr || rows == 0 || columns == 0);
}

template <class T>
LibraryMemory matrix(const T* a, int rows, int columns, int leading, LibraryUse use) {
  return columns_of(a, size(rows), size(columns), size(leading), use);
}
template <class T>
LibraryMemory triangle(const T* a, cublasFillMode_t uplo, int n, int leading, LibraryUse use) {
  LibraryMemory memory{a, {}, use};
  for (std::size_t column = 0; column < size(n); ++column) {
    const std::size_t first = uplo == CUBLAS_FILL_MODE_LOWER ? column : 0;
    const std::size_t end = uplo == CUBLAS_FILL_MODE_LOWER ? size(n) : column + 1;
    memory.ranges.push_back({(column * size(leading) + first) * sizeof(T), (end - first) * sizeof(T)});
  }
  return memory;
}
template <class T>
LibraryMemory vector(const T* x, int count, LibraryUse use) {
  return elements_of(x, size(count), use);
}

/// The elements of a work area: blocks of 32 rows and columns. A card wants other sizes.
inline int work_size(int m, int n) { return std::max(1, 32 * (m + n)); }

inline cusolverStatus_t tell_work_size(cusolverDnHandle_t handle, bool is_valid, int m, int n, int* lwork) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_valid || m < 0 || n < 0 || lwork == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *lwork = work_size(m, n);
  return CUSOLVER_STATUS_SUCCESS;
}

/// Adds work(): it returns what goes to `info`. memory() tells what it uses, if the arguments are valid.
template <class Memory, class Work>
cusolverStatus_t submit(cusolverDnHandle_t handle, bool is_valid, int* info, const Memory& memory, Work work) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_valid || info == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  std::vector<LibraryMemory> all = memory();
  all.push_back(elements_of(info, 1, write));
  const cudaError_t error =
      push_library_work(handle->stream, std::move(all), [info, work = std::move(work)] { *at(info) = work(); });
  return error == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}
using Memories = std::vector<LibraryMemory>;

template <class T>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* a, int lda, T* work, int lwork,
                       int* info) {
  const bool right = valid(uplo) && is_matrix(a, n, n, lda) && work != nullptr && lwork >= work_size(n, n);
  return submit(
      handle, right, info,
      [&] {
        return Memories{triangle(a, uplo, n, lda, both), vector(work, work_size(n, n), write)};
      },
      [=] { return lapack::potrf(letter_of(uplo), n, at(a), lda); });
}

template <class T>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T* a, int lda, T* b,
                       int ldb, int* info) {
  const bool right = valid(uplo) && is_matrix(a, n, n, lda) && is_matrix(b, n, nrhs, ldb);
  return submit(
      handle, right, info,
      [&] {
        return Memories{triangle(a, uplo, n, lda, read), matrix(b, n, nrhs, ldb, both)};
      },
      [=] { return lapack::potrs(letter_of(uplo), n, nrhs, at(a), lda, at(b), ldb); });
}

/// The factors L and U without an exchange of rows. Returns the number of the first pivot that is 0.
template <class T>
int factor_without_pivots(int rows, int columns, T* a, int lda) {
  const auto element = [&](int row, int column) -> T& { return a[row + std::ptrdiff_t{column} * lda]; };
  int first_zero = 0;
  for (int k = 0; k < std::min(rows, columns); ++k) {
    const T pivot = element(k, k);
    if (pivot == T{0} && first_zero == 0) first_zero = k + 1;
    for (int row = k + 1; row < rows && pivot != T{0}; ++row) element(row, k) /= pivot;
    for (int column = k + 1; column < columns; ++column) {
      for (int row = k + 1; row < rows; ++row) element(row, column) -= element(row, k) * element(k, column);
    }
  }
  return first_zero;
}

/// The factors with an exchange of rows; the numbers of rows have 32 bits, or 64.
template <class T, class Pivot>
int factor(int m, int n, T* a, int lda, Pivot* pivots) {
  if constexpr (std::is_same_v<Pivot, int>) return lapack::getrf(m, n, a, lda, pivots);
  std::vector<int> narrow(size(std::min(m, n)));
  const int info = lapack::getrf(m, n, a, lda, narrow.data());
  std::copy(narrow.begin(), narrow.end(), pivots);
  return info;
}

template <class T, class Pivot>
cusolverStatus_t getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* work, Pivot* pivots, int* info) {
  return submit(
      handle, is_matrix(a, m, n, lda) && work != nullptr, info,
      [&] {
        return Memories{matrix(a, m, n, lda, both), vector(work, work_size(m, n), write),
                        vector(pivots, pivots == nullptr ? 0 : std::min(m, n), write)};
      },
      [=] {
        return pivots == nullptr ? factor_without_pivots(m, n, at(a), lda) : factor(m, n, at(a), lda, at(pivots));
      });
}

/// Solves with factors without an exchange of rows: LAPACK wants pivots.
template <class T>
int solve_without_pivots(cublasOperation_t trans, int n, int nrhs, const T* a, int lda, T* b, int ldb) {
  std::vector<int> pivots(size(n));
  for (int i = 0; i < n; ++i) pivots[size(i)] = i + 1;
  return lapack::getrs(letter_of(trans), n, nrhs, a, lda, pivots.data(), b, ldb);
}

/// The pivots come from memory of the device, where a program may have written anything.
template <class Pivot>
bool are_pivots(const Pivot* pivots, int n) {
  return std::all_of(pivots, pivots + n, [n](Pivot one) { return one >= 1 && one <= n; });
}

template <class T, class Pivot>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* a, int lda,
                       const Pivot* pivots, T* b, int ldb, int* info) {
  const bool right = valid(trans) && is_matrix(a, n, n, lda) && is_matrix(b, n, nrhs, ldb);
  return submit(
      handle, right, info,
      [&] {
        return Memories{matrix(a, n, n, lda, read), vector(pivots, pivots == nullptr ? 0 : n, read),
                        matrix(b, n, nrhs, ldb, both)};
      },
      [=] {
        if (pivots == nullptr) return solve_without_pivots(trans, n, nrhs, at(a), lda, at(b), ldb);
        if (!are_pivots(at(pivots), n)) return -7;  // the number of the argument
        const std::vector<int> narrow(at(pivots), at(pivots) + n);
        return lapack::getrs(letter_of(trans), n, nrhs, at(a), lda, narrow.data(), at(b), ldb);
      });
}

template <class T>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* tau, T* work, int lwork, int* info) {
  const bool right = is_matrix(a, m, n, lda) && tau != nullptr && work != nullptr && lwork >= work_size(m, n);
  return submit(
      handle, right, info,
      [&] {
        return Memories{matrix(a, m, n, lda, both), vector(tau, std::min(m, n), write),
                        vector(work, work_size(m, n), write)};
      },
      [=] { return lapack::geqrf(m, n, at(a), lda, at(tau)); });
}

template <class T>
cusolverStatus_t orgqr(cusolverDnHandle_t handle, int m, int n, int k, T* a, int lda, const T* tau, T* work, int lwork,
                       int* info) {
  const bool right = is_matrix(a, m, n, lda) && n <= m && k >= 0 && k <= n && tau != nullptr && work != nullptr &&
                     lwork >= work_size(m, n);
  return submit(
      handle, right, info,
      [&] {
        return Memories{matrix(a, m, k, lda, read), matrix(a, m, n, lda, write), vector(tau, k, read),
                        vector(work, work_size(m, n), write)};
      },
      [=] { return lapack::orgqr(m, n, k, at(a), lda, at(tau)); });
}

template <class T>
cusolverStatus_t ormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
                       const T* a, int lda, const T* tau, T* c, int ldc, T* work, int lwork, int* info) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int order = left ? m : n;
  const bool right = (left || side == CUBLAS_SIDE_RIGHT) && valid(trans) && is_matrix(c, m, n, ldc) && k >= 0 &&
                     k <= order && is_matrix(a, order, k, lda) && tau != nullptr && work != nullptr &&
                     lwork >= work_size(m, n);
  return submit(
      handle, right, info,
      [&] {
        return Memories{matrix(a, order, k, lda, read), vector(tau, k, read), matrix(c, m, n, ldc, both),
                        vector(work, work_size(m, n), write)};
      },
      [=] { return lapack::ormqr(left ? 'L' : 'R', letter_of(trans), m, n, k, at(a), lda, at(tau), at(c), ldc); });
}

template <class T>
cusolverStatus_t syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t uplo, int n, T* a, int lda,
                       T* w, T* work, int lwork, int* info) {
  const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
  const bool right = (vectors || mode == CUSOLVER_EIG_MODE_NOVECTOR) && valid(uplo) && is_matrix(a, n, n, lda) &&
                     (w != nullptr || n == 0) && work != nullptr && lwork >= work_size(n, n);
  return submit(
      handle, right, info,
      [&] {
        return Memories{triangle(a, uplo, n, lda, both), matrix(a, n, vectors ? n : 0, lda, write), vector(w, n, write),
                        vector(work, work_size(n, n), write)};
      },
      [=] { return lapack::syevd(vectors ? 'V' : 'N', letter_of(uplo), n, at(a), lda, at(w)); });
}

inline bool is_job(signed char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }
/// How many vectors a job writes beside the matrix.
inline int vectors_of(signed char job, int all, int some) { return job == 'A' ? all : (job == 'S' ? some : 0); }

template <class T>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T* a, int lda,
                       T* s, T* u, int ldu, T* vt, int ldvt, T* work, int lwork, int* info) {
  const int left = vectors_of(jobu, m, n);
  const int right = vectors_of(jobvt, n, n);
  const bool jobs = is_job(jobu) && is_job(jobvt) && (jobu != 'O' || jobvt != 'O');
  const bool is_valid = jobs && is_matrix(a, m, n, lda) && m >= n && (s != nullptr || n == 0) &&
                        (left == 0 || is_matrix(u, m, left, ldu)) && (right == 0 || is_matrix(vt, right, n, ldvt)) &&
                        ldu >= 1 && ldvt >= 1 && work != nullptr && lwork >= work_size(m, n);
  return submit(
      handle, is_valid, info,
      [&] {
        return Memories{matrix(a, m, n, lda, both), vector(s, n, write), matrix(u, m, left, std::max(ldu, m), write),
                        matrix(vt, right, n, std::max(ldvt, right), write), vector(work, work_size(m, n), write)};
      },
      [=] {
        return lapack::gesvd(static_cast<char>(jobu), static_cast<char>(jobvt), m, n, at(a), lda, at(s), at(u), ldu,
                             at(vt), ldvt);
      });
}

}  // namespace d2l::emulator::solver
