// SPDX-License-Identifier: MIT
// cuSOLVER for dense matrices: each result is multiplied out again.
#include <cusolverDn.h>

#include <cmath>
#include <vector>

#include "verify.h"

using Matrix = std::vector<double>;  // column by column
constexpr int m = 6, n = 4;

#define SOLVED(call) REQUIRE((call) == CUSOLVER_STATUS_SUCCESS)

double* to_device(const Matrix& host) {
  double* memory = nullptr;
  CHECK(cudaMalloc(&memory, host.size() * sizeof(double)));
  CHECK(cudaMemcpy(memory, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice));
  return memory;
}
Matrix to_host(const double* memory, int count) {
  Matrix host(count);
  CHECK(cudaMemcpy(host.data(), memory, count * sizeof(double), cudaMemcpyDeviceToHost));
  return host;
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
bool close(const Matrix& a, const Matrix& b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) < 1e-10)) return false;
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

int main() {
  cusolverDnHandle_t handle;
  SOLVED(cusolverDnCreate(&handle));
  int *info, *pivots, lwork = 0;
  double* work;
  CHECK(cudaMalloc(&info, sizeof(int)));
  CHECK(cudaMalloc(&pivots, m * sizeof(int)));
  CHECK(cudaMalloc(&work, 4096 * sizeof(double)));
  const Matrix tall = numbers(m * n), x = numbers(n * 2);
  Matrix symmetric = product(transposed(tall, m, n), tall, n, m, n);
  for (int i = 0; i < n; ++i) symmetric[i * n + i] += 1;

  for (const auto part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    double *a = to_device(symmetric), *b = to_device(product(symmetric, x, n, n, 2));
    SOLVED(cusolverDnDpotrf_bufferSize(handle, part, n, a, n, &lwork));
    REQUIRE(lwork <= 4096);
    SOLVED(cusolverDnDpotrf(handle, part, n, a, n, work, lwork, info));
    REQUIRE(value_of(info) == 0);
    SOLVED(cusolverDnDpotrs(handle, part, n, 2, a, n, b, n, info));
    REQUIRE(close(to_host(b, n * 2), x));
    Matrix indefinite = symmetric;
    indefinite[2 * n + 2] = -1;
    double* c = to_device(indefinite);
    SOLVED(cusolverDnDpotrf(handle, part, n, c, n, work, lwork, info));
    REQUIRE(value_of(info) == 3);
    for (double* one : {a, b, c}) CHECK(cudaFree(one));
  }
  for (int* const with : {pivots, static_cast<int*>(nullptr)}) {
    Matrix square = numbers(n * n);
    for (int i = 0; with == nullptr && i < n; ++i) square[i * n + i] += 5;
    for (const auto operation : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const Matrix used = operation == CUBLAS_OP_N ? square : transposed(square, n, n);
      double *a = to_device(square), *b = to_device(product(used, x, n, n, 2));
      SOLVED(cusolverDnDgetrf_bufferSize(handle, n, n, a, n, &lwork));
      SOLVED(cusolverDnDgetrf(handle, n, n, a, n, work, with, info));
      SOLVED(cusolverDnDgetrs(handle, operation, n, 2, a, n, with, b, n, info));
      REQUIRE(value_of(info) == 0 && close(to_host(b, n * 2), x));
      CHECK(cudaFree(a));
      CHECK(cudaFree(b));
    }
  }
  {
    double *a = to_device(tall), *c = to_device(tall), *tau;
    CHECK(cudaMalloc(&tau, n * sizeof(double)));
    SOLVED(cusolverDnDgeqrf_bufferSize(handle, m, n, a, m, &lwork));
    SOLVED(cusolverDnDgeqrf(handle, m, n, a, m, tau, work, lwork, info));
    Matrix r = to_host(a, m * n), upper(n * n);
    for (int i = 0; i < n * n; ++i) upper[i] = i % n <= i / n ? r[i % n + i / n * m] : 0;
    SOLVED(cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, n, n, a, m, tau, c, m, work, lwork, info));
    const Matrix rotated = to_host(c, m * n);  // the transposed Q times the matrix is R
    for (int i = 0; i < m * n; ++i) {
      REQUIRE(std::fabs(rotated[i] - (i % m <= i / m ? r[i] : 0)) < 1e-10);
    }
    SOLVED(cusolverDnDorgqr(handle, m, n, n, a, m, tau, work, lwork, info));
    REQUIRE(close(product(to_host(a, m * n), upper, m, n, n), tall));
    for (double* one : {a, c, tau}) CHECK(cudaFree(one));
  }
  {
    double *a = to_device(symmetric), *w = to_device(Matrix(n));
    SOLVED(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, w, &lwork));
    SOLVED(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n, w, work, lwork, info));
    const Matrix vectors = to_host(a, n * n), values = to_host(w, n);
    Matrix scaled = vectors;
    for (int i = 0; i < n * n; ++i) scaled[i] *= values[i / n];
    REQUIRE(value_of(info) == 0 && values[0] <= values[n - 1]);
    REQUIRE(close(product(scaled, transposed(vectors, n, n), n, n, n), symmetric));
    CHECK(cudaFree(a));
    CHECK(cudaFree(w));
  }
  {
    double *a = to_device(tall), *s = to_device(Matrix(n)), *u = to_device(Matrix(m * n)),
           *vt = to_device(Matrix(n * n));
    SOLVED(cusolverDnDgesvd_bufferSize(handle, m, n, &lwork));
    SOLVED(cusolverDnDgesvd(handle, 'S', 'A', m, n, a, m, s, u, m, vt, n, work, lwork, nullptr, info));
    Matrix scaled = to_host(u, m * n);
    const Matrix values = to_host(s, n);
    for (int i = 0; i < m * n; ++i) scaled[i] *= values[i / m];
    REQUIRE(value_of(info) == 0 && close(product(scaled, to_host(vt, n * n), m, n, n), tall));
    REQUIRE(cusolverDnDgesvd(handle, 'S', 'A', n, m, a, n, s, u, n, vt, m, work, lwork, nullptr, info) ==
            CUSOLVER_STATUS_INVALID_VALUE);
    for (double* one : {a, s, u, vt}) CHECK(cudaFree(one));
  }
  REQUIRE(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, -1, work, n, work, 4096, info) ==
          CUSOLVER_STATUS_INVALID_VALUE);
  REQUIRE(cusolverDnSetStream(nullptr, nullptr) == CUSOLVER_STATUS_NOT_INITIALIZED);
  SOLVED(cusolverDnDestroy(handle));
  for (void* one : {static_cast<void*>(info), static_cast<void*>(pivots), static_cast<void*>(work)})
    CHECK(cudaFree(one));
  return passed();
}
