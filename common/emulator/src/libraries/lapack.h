// SPDX-License-Identifier: MIT
// The functions of LAPACK that cuSOLVER needs, which OpenBLAS has. Each returns its info.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

// The lengths of character arguments are the last arguments, as the Fortran compiler expects.
#define D2L_LAPACK(small, T)                                                                                           \
  extern "C" {                                                                                                         \
  void small##potrf_(const char* uplo, const int* n, T* a, const int* lda, int* info, std::size_t);                    \
  void small##potrs_(const char* uplo, const int* n, const int* count, const T* a, const int* lda, T* b,               \
                     const int* ldb, int* info, std::size_t);                                                          \
  void small##getrf_(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info);                        \
  void small##getrs_(const char* trans, const int* n, const int* count, const T* a, const int* lda, const int* pivots, \
                     T* b, const int* ldb, int* info, std::size_t);                                                    \
  void small##geqrf_(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, const int* lwork, int* info);  \
  void small##orgqr_(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau, T* work,            \
                     const int* lwork, int* info);                                                                     \
  void small##ormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const T* a,        \
                     const int* lda, const T* tau, T* c, const int* ldc, T* work, const int* lwork, int* info,         \
                     std::size_t, std::size_t);                                                                        \
  void small##syevd_(const char* job, const char* uplo, const int* n, T* a, const int* lda, T* w, T* work,             \
                     const int* lwork, int* iwork, const int* liwork, int* info, std::size_t, std::size_t);            \
  void small##gesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, T* a, const int* lda, T* s,      \
                     T* u, const int* ldu, T* vt, const int* ldvt, T* work, const int* lwork, int* info, std::size_t,  \
                     std::size_t);                                                                                     \
  }                                                                                                                    \
  namespace d2l::emulator::lapack {                                                                                    \
  inline int potrf(char uplo, int n, T* a, int lda) {                                                                  \
    int info = 0;                                                                                                      \
    small##potrf_(&uplo, &n, a, &lda, &info, 1);                                                                       \
    return info;                                                                                                       \
  }                                                                                                                    \
  inline int potrs(char uplo, int n, int count, const T* a, int lda, T* b, int ldb) {                                  \
    int info = 0;                                                                                                      \
    small##potrs_(&uplo, &n, &count, a, &lda, b, &ldb, &info, 1);                                                      \
    return info;                                                                                                       \
  }                                                                                                                    \
  inline int getrf(int m, int n, T* a, int lda, int* pivots) {                                                         \
    int info = 0;                                                                                                      \
    small##getrf_(&m, &n, a, &lda, pivots, &info);                                                                     \
    return info;                                                                                                       \
  }                                                                                                                    \
  inline int getrs(char trans, int n, int count, const T* a, int lda, const int* pivots, T* b, int ldb) {              \
    int info = 0;                                                                                                      \
    small##getrs_(&trans, &n, &count, a, &lda, pivots, b, &ldb, &info, 1);                                             \
    return info;                                                                                                       \
  }                                                                                                                    \
  inline int geqrf(int m, int n, T* a, int lda, T* tau) {                                                              \
    return with_work<T>(                                                                                               \
        [&](T* work, const int* size, int* info) { small##geqrf_(&m, &n, a, &lda, tau, work, size, info); });          \
  }                                                                                                                    \
  inline int orgqr(int m, int n, int k, T* a, int lda, const T* tau) {                                                 \
    return with_work<T>(                                                                                               \
        [&](T* work, const int* size, int* info) { small##orgqr_(&m, &n, &k, a, &lda, tau, work, size, info); });      \
  }                                                                                                                    \
  inline int ormqr(char side, char trans, int m, int n, int k, const T* a, int lda, const T* tau, T* c, int ldc) {     \
    return with_work<T>([&](T* work, const int* size, int* info) {                                                     \
      small##ormqr_(&side, &trans, &m, &n, &k, a, &lda, tau, c, &ldc, work, size, info, 1, 1);                         \
    });                                                                                                                \
  }                                                                                                                    \
  inline int syevd(char job, char uplo, int n, T* a, int lda, T* w) {                                                  \
    std::vector<int> whole(static_cast<std::size_t>(5 * n + 3));                                                       \
    const int count = static_cast<int>(whole.size());                                                                  \
    return with_work<T>([&](T* work, const int* size, int* info) {                                                     \
      small##syevd_(&job, &uplo, &n, a, &lda, w, work, size, whole.data(), &count, info, 1, 1);                        \
    });                                                                                                                \
  }                                                                                                                    \
  inline int gesvd(char jobu, char jobvt, int m, int n, T* a, int lda, T* s, T* u, int ldu, T* vt, int ldvt) {         \
    return with_work<T>([&](T* work, const int* size, int* info) {                                                     \
      small##gesvd_(&jobu, &jobvt, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work, size, info, 1, 1);                    \
    });                                                                                                                \
  }                                                                                                                    \
  }

namespace d2l::emulator::lapack {

/// Asks a function for the size of its work area, and calls it with one.
template <class T, class Function>
int with_work(const Function& function) {
  int info = 0;
  T wanted{};
  const int question = -1;
  function(&wanted, &question, &info);
  if (info != 0) return info;
  std::vector<T> work(std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
  const int size = static_cast<int>(work.size());
  function(work.data(), &size, &info);
  return info;
}

}  // namespace d2l::emulator::lapack

D2L_LAPACK(s, float)
D2L_LAPACK(d, double)
#undef D2L_LAPACK
