// SPDX-License-Identifier: MIT
// cuSOLVER for dense matrices, float and double: each result is multiplied out again.
#include <cusolverDn.h>

#include <cmath>
#include <vector>

#include "verify.h"

using Matrix = std::vector<double>;  // column by column
constexpr int m = 6, n = 4;

#define SOLVED(call) REQUIRE((call) == CUSOLVER_STATUS_SUCCESS)

template <class T>
T* to_device(const Matrix& host) {
  const std::vector<T> values(host.begin(), host.end());
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}
template <class T>
Matrix to_host(const T* memory, int count) {
  std::vector<T> host(count);
  CHECK(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return Matrix(host.begin(), host.end());
}
Matrix product(const Matrix& a, const Matrix& b, int rows, int inner, int columns) {
  Matrix c(rows * columns);
  for (int i = 0; i < rows * columns; ++i) {
    for (int k = 0; k < inner; ++k) c[i] += a[i % rows + k * rows] * b[k + i / rows * inner];
  }
  return c;
}
Matrix transposed(const Matrix& a, int rows, int columns) {
  Matrix b(a.size());
  for (int i = 0; i < rows * columns; ++i) b[i / rows + i % rows * columns] = a[i];
  return b;
}
/// What a type's results may differ by.
template <class T>
constexpr double tolerance = sizeof(T) == 8 ? 1e-10 : 2e-4;

template <class T>
bool close(const Matrix& a, const Matrix& b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) < tolerance<T>)) return false;
  }
  return a.size() >= b.size();
}
Matrix numbers(int count) {
  Matrix a(count);
  for (int i = 0; i < count; ++i) a[i] = std::sin(1.3 * i * i + 0.4 * i + 1);
  return a;
}
int value_of(const int* info) {
  int value = -1;
  CHECK(cudaMemcpy(&value, info, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

/// The functions of a type, by one name each.
template <class T>
struct Of;
#define OF(T, letter)                                                          \
  template <>                                                                  \
  struct Of<T> {                                                               \
    static constexpr auto potrf_size = cusolverDn##letter##potrf_bufferSize;   \
    static constexpr auto potrf = cusolverDn##letter##potrf;                   \
    static constexpr auto potrs = cusolverDn##letter##potrs;                   \
    static constexpr auto getrf_size = cusolverDn##letter##getrf_bufferSize;   \
    static constexpr auto getrf = cusolverDn##letter##getrf;                   \
    static constexpr auto getrs = cusolverDn##letter##getrs;                   \
    static constexpr auto geqrf_size = cusolverDn##letter##geqrf_bufferSize;   \
    static constexpr auto geqrf = cusolverDn##letter##geqrf;                   \
    static constexpr auto ormqr_size = cusolverDn##letter##ormqr_bufferSize;   \
    static constexpr auto ormqr = cusolverDn##letter##ormqr;                   \
    static constexpr auto orgqr_size = cusolverDn##letter##orgqr_bufferSize;   \
    static constexpr auto orgqr = cusolverDn##letter##orgqr;                   \
    static constexpr auto syevd_size = cusolverDn##letter##syevd_bufferSize;   \
    static constexpr auto syevd = cusolverDn##letter##syevd;                   \
    static constexpr auto syevj_size = cusolverDn##letter##syevj_bufferSize;   \
    static constexpr auto syevj = cusolverDn##letter##syevj;                   \
    static constexpr auto gesvd_size = cusolverDn##letter##gesvd_bufferSize;   \
    static constexpr auto gesvd = cusolverDn##letter##gesvd;                   \
    static constexpr auto gesvdj_size = cusolverDn##letter##gesvdj_bufferSize; \
    static constexpr auto gesvdj = cusolverDn##letter##gesvdj;                 \
  };
OF(float, S)
OF(double, D)

template <class T>
constexpr cudaDataType data_type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;

/// Eigenvalues and singular values by Jacobi's method, also of a matrix with more columns than rows.
template <class T>
void verify_jacobi(cusolverDnHandle_t handle, const Matrix& symmetric, const Matrix& tall, int* info) {
  int lwork = 0;
  {
    syevjInfo_t parameters;
    SOLVED(cusolverDnCreateSyevjInfo(&parameters));
    SOLVED(cusolverDnXsyevjSetTolerance(parameters, 1e-12));
    SOLVED(cusolverDnXsyevjSetMaxSweeps(parameters, 50));
    T *a = to_device<T>(symmetric), *w = to_device<T>(Matrix(n)), *work = nullptr;
    SOLVED(Of<T>::syevj_size(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, a, n, w, &lwork, parameters));
    CHECK(cudaMalloc(&work, lwork * sizeof(T)));
    SOLVED(Of<T>::syevj(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, a, n, w, work, lwork, info,
                        parameters));
    const Matrix vectors = to_host(a, n * n), values = to_host(w, n);
    Matrix scaled = vectors;
    for (int i = 0; i < n * n; ++i) scaled[i] *= values[i / n];
    REQUIRE(value_of(info) == 0);
    REQUIRE(close<T>(product(scaled, transposed(vectors, n, n), n, n, n), symmetric));
    SOLVED(cusolverDnDestroySyevjInfo(parameters));
    for (T* one : {a, w, work}) CHECK(cudaFree(one));
  }
  for (const bool wide : {false, true}) {
    for (const int econ : {0, 1}) {
      const int rows = wide ? n : m, columns = wide ? m : n, count = n;
      const Matrix matrix = wide ? transposed(tall, m, n) : tall;
      const int columns_u = econ ? count : rows, columns_v = econ ? count : columns;
      gesvdjInfo_t parameters;
      SOLVED(cusolverDnCreateGesvdjInfo(&parameters));
      T *a = to_device<T>(matrix), *s = to_device<T>(Matrix(count)), *u = to_device<T>(Matrix(rows * columns_u)),
        *v = to_device<T>(Matrix(columns * columns_v)), *work = nullptr;
      SOLVED(Of<T>::gesvdj_size(handle, CUSOLVER_EIG_MODE_VECTOR, econ, rows, columns, a, rows, s, u, rows, v, columns,
                                &lwork, parameters));
      CHECK(cudaMalloc(&work, lwork * sizeof(T)));
      SOLVED(Of<T>::gesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, econ, rows, columns, a, rows, s, u, rows, v, columns, work,
                           lwork, info, parameters));
      Matrix scaled = to_host(u, rows * columns_u);
      const Matrix values = to_host(s, count), right = to_host(v, columns * columns_v);
      scaled.resize(rows * count);
      for (int i = 0; i < rows * count; ++i) scaled[i] *= values[i / rows];
      const Matrix first(right.begin(), right.begin() + columns * count);
      REQUIRE(value_of(info) == 0);
      REQUIRE(close<T>(product(scaled, transposed(first, columns, count), rows, count, columns), matrix));
      SOLVED(cusolverDnDestroyGesvdjInfo(parameters));
      for (T* one : {a, s, u, v, work}) CHECK(cudaFree(one));
    }
  }
}

/// The functions with sizes of 64 bits.
template <class T>
void verify_64_bits(cusolverDnHandle_t handle, const Matrix& symmetric, const Matrix& tall, const Matrix& x,
                    int* info) {
  constexpr cudaDataType type = data_type<T>;
  cusolverDnParams_t parameters;
  SOLVED(cusolverDnCreateParams(&parameters));
  std::size_t device_bytes = 0, host_bytes = 0;
  const auto work_of = [&](cusolverStatus_t status) {
    SOLVED(status);
    void* work = nullptr;
    CHECK(cudaMalloc(&work, device_bytes));
    return work;
  };
  std::vector<char> host(1);
  {
    T *a = to_device<T>(symmetric), *b = to_device<T>(product(symmetric, x, n, n, 2));
    void* work = work_of(cusolverDnXpotrf_bufferSize(handle, parameters, CUBLAS_FILL_MODE_LOWER, n, type, a, n, type,
                                                     &device_bytes, &host_bytes));
    host.resize(host_bytes + 1);
    SOLVED(cusolverDnXpotrf(handle, parameters, CUBLAS_FILL_MODE_LOWER, n, type, a, n, type, work, device_bytes,
                            host.data(), host_bytes, info));
    SOLVED(cusolverDnXpotrs(handle, parameters, CUBLAS_FILL_MODE_LOWER, n, 2, type, a, n, type, b, n, info));
    REQUIRE(value_of(info) == 0 && close<T>(to_host(b, n * 2), x));
    for (void* one : {static_cast<void*>(a), static_cast<void*>(b), work}) CHECK(cudaFree(one));
  }
  {
    const Matrix square = numbers(n * n);
    T *a = to_device<T>(square), *b = to_device<T>(product(square, x, n, n, 2));
    int64_t* pivots = nullptr;
    CHECK(cudaMalloc(&pivots, n * sizeof(int64_t)));
    void* work =
        work_of(cusolverDnXgetrf_bufferSize(handle, parameters, n, n, type, a, n, type, &device_bytes, &host_bytes));
    host.resize(host_bytes + 1);
    SOLVED(cusolverDnXgetrf(handle, parameters, n, n, type, a, n, pivots, type, work, device_bytes, host.data(),
                            host_bytes, info));
    SOLVED(cusolverDnXgetrs(handle, parameters, CUBLAS_OP_N, n, 2, type, a, n, pivots, type, b, n, info));
    REQUIRE(value_of(info) == 0 && close<T>(to_host(b, n * 2), x));
    for (void* one : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(pivots), work}) {
      CHECK(cudaFree(one));
    }
  }
  {
    T *a = to_device<T>(symmetric), *w = to_device<T>(Matrix(n));
    void* work =
        work_of(cusolverDnXsyevd_bufferSize(handle, parameters, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                                            type, a, n, type, w, type, &device_bytes, &host_bytes));
    host.resize(host_bytes + 1);
    SOLVED(cusolverDnXsyevd(handle, parameters, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, type, a, n, type,
                            w, type, work, device_bytes, host.data(), host_bytes, info));
    const Matrix vectors = to_host(a, n * n), values = to_host(w, n);
    Matrix scaled = vectors;
    for (int i = 0; i < n * n; ++i) scaled[i] *= values[i / n];
    REQUIRE(close<T>(product(scaled, transposed(vectors, n, n), n, n, n), symmetric));
    for (void* one : {static_cast<void*>(a), static_cast<void*>(w), work}) CHECK(cudaFree(one));
  }
  {
    T *a = to_device<T>(tall), *s = to_device<T>(Matrix(n)), *u = to_device<T>(Matrix(m * n)),
      *vt = to_device<T>(Matrix(n * n));
    void* work = work_of(cusolverDnXgesvd_bufferSize(handle, parameters, 'S', 'A', m, n, type, a, m, type, s, type, u,
                                                     m, type, vt, n, type, &device_bytes, &host_bytes));
    host.resize(host_bytes + 1);
    SOLVED(cusolverDnXgesvd(handle, parameters, 'S', 'A', m, n, type, a, m, type, s, type, u, m, type, vt, n, type,
                            work, device_bytes, host.data(), host_bytes, info));
    Matrix scaled = to_host(u, m * n);
    const Matrix values = to_host(s, n);
    for (int i = 0; i < m * n; ++i) scaled[i] *= values[i / m];
    REQUIRE(value_of(info) == 0 && close<T>(product(scaled, to_host(vt, n * n), m, n, n), tall));
    for (void* one :
         {static_cast<void*>(a), static_cast<void*>(s), static_cast<void*>(u), static_cast<void*>(vt), work}) {
      CHECK(cudaFree(one));
    }
  }
  {
    T *a = to_device<T>(tall), *tau = to_device<T>(Matrix(n));
    void* work = work_of(
        cusolverDnXgeqrf_bufferSize(handle, parameters, m, n, type, a, m, type, tau, type, &device_bytes, &host_bytes));
    host.resize(host_bytes + 1);
    SOLVED(cusolverDnXgeqrf(handle, parameters, m, n, type, a, m, type, tau, type, work, device_bytes, host.data(),
                            host_bytes, info));
    const Matrix r = to_host(a, m * n);  // R transposed times R is the matrix transposed times itself
    Matrix upper(n * n);
    for (int i = 0; i < n * n; ++i) upper[i] = i % n <= i / n ? r[i % n + i / n * m] : 0;
    const Matrix square = product(transposed(tall, m, n), tall, n, m, n);
    REQUIRE(close<T>(product(transposed(upper, n, n), upper, n, n, n), square));
    for (void* one : {static_cast<void*>(a), static_cast<void*>(tau), work}) CHECK(cudaFree(one));
  }
  SOLVED(cusolverDnDestroyParams(parameters));
}

template <class T>
void verify_type(cusolverDnHandle_t handle) {
  int *info, *pivots, lwork = 0;
  T* work = nullptr;
  CHECK(cudaMalloc(&info, sizeof(int)));
  CHECK(cudaMalloc(&pivots, m * sizeof(int)));
  CHECK(cudaMalloc(&work, 4096 * sizeof(T)));
  const Matrix tall = numbers(m * n), x = numbers(n * 2);
  Matrix symmetric = product(transposed(tall, m, n), tall, n, m, n);
  for (int i = 0; i < n; ++i) symmetric[i * n + i] += 1;

  for (const auto part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    T *a = to_device<T>(symmetric), *b = to_device<T>(product(symmetric, x, n, n, 2));
    SOLVED(Of<T>::potrf_size(handle, part, n, a, n, &lwork));
    REQUIRE(lwork <= 4096);
    SOLVED(Of<T>::potrf(handle, part, n, a, n, work, lwork, info));
    REQUIRE(value_of(info) == 0);
    SOLVED(Of<T>::potrs(handle, part, n, 2, a, n, b, n, info));
    REQUIRE(close<T>(to_host(b, n * 2), x));
    Matrix indefinite = symmetric;
    indefinite[2 * n + 2] = -1;
    T* c = to_device<T>(indefinite);
    SOLVED(Of<T>::potrf(handle, part, n, c, n, work, lwork, info));
    REQUIRE(value_of(info) == 3);
    for (T* one : {a, b, c}) CHECK(cudaFree(one));
  }
  for (int* const with : {pivots, static_cast<int*>(nullptr)}) {
    Matrix square = numbers(n * n);
    for (int i = 0; with == nullptr && i < n; ++i) square[i * n + i] += 5;
    for (const auto operation : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const Matrix used = operation == CUBLAS_OP_N ? square : transposed(square, n, n);
      T *a = to_device<T>(square), *b = to_device<T>(product(used, x, n, n, 2));
      SOLVED(Of<T>::getrf_size(handle, n, n, a, n, &lwork));
      SOLVED(Of<T>::getrf(handle, n, n, a, n, work, with, info));
      SOLVED(Of<T>::getrs(handle, operation, n, 2, a, n, with, b, n, info));
      REQUIRE(value_of(info) == 0 && close<T>(to_host(b, n * 2), x));
      CHECK(cudaFree(a));
      CHECK(cudaFree(b));
    }
  }
  {
    T *a = to_device<T>(tall), *c = to_device<T>(tall), *tau;
    CHECK(cudaMalloc(&tau, n * sizeof(T)));
    SOLVED(Of<T>::geqrf_size(handle, m, n, a, m, &lwork));
    SOLVED(Of<T>::geqrf(handle, m, n, a, m, tau, work, lwork, info));
    Matrix r = to_host(a, m * n), upper(n * n);
    for (int i = 0; i < n * n; ++i) upper[i] = i % n <= i / n ? r[i % n + i / n * m] : 0;
    SOLVED(Of<T>::ormqr_size(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, n, n, a, m, tau, c, m, &lwork));
    SOLVED(Of<T>::ormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, n, n, a, m, tau, c, m, work, lwork, info));
    const Matrix rotated = to_host(c, m * n);  // the transposed Q times the matrix is R
    for (int i = 0; i < m * n; ++i) {
      REQUIRE(std::fabs(rotated[i] - (i % m <= i / m ? r[i] : 0)) < tolerance<T>);
    }
    SOLVED(Of<T>::orgqr_size(handle, m, n, n, a, m, tau, &lwork));
    SOLVED(Of<T>::orgqr(handle, m, n, n, a, m, tau, work, lwork, info));
    REQUIRE(close<T>(product(to_host(a, m * n), upper, m, n, n), tall));
    for (T* one : {a, c, tau}) CHECK(cudaFree(one));
  }
  {
    T *a = to_device<T>(symmetric), *w = to_device<T>(Matrix(n));
    SOLVED(Of<T>::syevd_size(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, w, &lwork));
    SOLVED(Of<T>::syevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, w, work, lwork, info));
    const Matrix vectors = to_host(a, n * n), values = to_host(w, n);
    Matrix scaled = vectors;
    for (int i = 0; i < n * n; ++i) scaled[i] *= values[i / n];
    REQUIRE(value_of(info) == 0 && values[0] <= values[n - 1]);
    REQUIRE(close<T>(product(scaled, transposed(vectors, n, n), n, n, n), symmetric));
    CHECK(cudaFree(a));
    CHECK(cudaFree(w));
  }
  {
    T *a = to_device<T>(tall), *s = to_device<T>(Matrix(n)), *u = to_device<T>(Matrix(m * n)),
      *vt = to_device<T>(Matrix(n * n));
    SOLVED(Of<T>::gesvd_size(handle, m, n, &lwork));
    SOLVED(Of<T>::gesvd(handle, 'S', 'A', m, n, a, m, s, u, m, vt, n, work, lwork, nullptr, info));
    Matrix scaled = to_host(u, m * n);
    const Matrix values = to_host(s, n);
    for (int i = 0; i < m * n; ++i) scaled[i] *= values[i / m];
    REQUIRE(value_of(info) == 0 && close<T>(product(scaled, to_host(vt, n * n), m, n, n), tall));
    REQUIRE(Of<T>::gesvd(handle, 'S', 'A', n, m, a, n, s, u, n, vt, m, work, lwork, nullptr, info) ==
            CUSOLVER_STATUS_INVALID_VALUE);
    for (T* one : {a, s, u, vt}) CHECK(cudaFree(one));
  }
  REQUIRE(Of<T>::potrf(handle, CUBLAS_FILL_MODE_LOWER, -1, work, n, work, 4096, info) == CUSOLVER_STATUS_INVALID_VALUE);
  verify_jacobi<T>(handle, symmetric, tall, info);
  verify_64_bits<T>(handle, symmetric, tall, x, info);
  for (void* one : {static_cast<void*>(info), static_cast<void*>(pivots), static_cast<void*>(work)})
    CHECK(cudaFree(one));
}

int main() {
  cusolverDnHandle_t handle;
  SOLVED(cusolverDnCreate(&handle));
  verify_type<float>(handle);
  verify_type<double>(handle);
  REQUIRE(cusolverDnSetStream(nullptr, nullptr) == CUSOLVER_STATUS_NOT_INITIALIZED);
  SOLVED(cusolverDnDestroy(handle));
  return passed();
}
