// SPDX-License-Identifier: MIT
// cuBLAS: products, sums, scalars of host and device.
#include <cublas_v2.h>

#include "verify.h"

int main() {
  cublasHandle_t handle;
  REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  const int m = 2, n = 3, k = 4;
  float a[m * k], b[k * n], c[m * n], *da, *db, *dc;
  for (int i = 0; i < m * k; ++i) a[i] = i;
  for (int i = 0; i < k * n; ++i) b[i] = i % 5;
  CHECK(cudaMalloc(&da, sizeof a));
  CHECK(cudaMalloc(&db, sizeof b));
  CHECK(cudaMalloc(&dc, sizeof c));
  CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
  const float one = 1, zero = 0, two = 2;
  REQUIRE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, m, db, k, &zero, dc, m) ==
          CUBLAS_STATUS_SUCCESS);
  CHECK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[l * m + i] * b[j * k + l];
      REQUIRE(c[j * m + i] == sum);
    }
  }
  REQUIRE(cublasSscal(handle, m * k, &two, da, 1) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasSaxpy(handle, m * k, &one, da, 1, db, 1) == CUBLAS_STATUS_SUCCESS);
  float dot = 0, expected = 0;
  REQUIRE(cublasSdot(handle, m * k, da, 1, da, 1, &dot) == CUBLAS_STATUS_SUCCESS);
  for (const float x : a) expected += 4 * x * x;
  REQUIRE(dot == expected);
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(dc));
  REQUIRE(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return passed();
}
