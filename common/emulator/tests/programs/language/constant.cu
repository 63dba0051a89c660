// SPDX-License-Identifier: MIT
// Constant memory and variables of the device.
#include "verify.h"

__constant__ float coefficients[4];
__device__ int calls;
__device__ float table[2][3] = {{1, 2, 3}, {4, 5, 6}};

__global__ void polynomial(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 3; k >= 0; --k) sum = sum * x[i] + coefficients[k];
  y[i] = sum + table[1][2];
  atomicAdd(&calls, 1);
}

int main() {
  const float c[4] = {1, 2, 3, 4};
  CHECK(cudaMemcpyToSymbol(coefficients, c, sizeof c));
  const int zero = 0;
  CHECK(cudaMemcpyToSymbol(calls, &zero, sizeof zero));
  float h[100], r[100], *x, *y;
  for (int i = 0; i < 100; ++i) h[i] = 0.5f * i;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMalloc(&y, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  polynomial<<<4, 32>>>(x, y, 100);
  CHECK(cudaMemcpy(r, y, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; ++i) {
    const double t = h[i], expected = 1 + 2 * t + 3 * t * t + 4 * t * t * t + 6;
    REQUIRE(r[i] > expected * (1 - 1e-5) && r[i] < expected * (1 + 1e-5));
  }
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  REQUIRE(count == 100);
  void* address = nullptr;
  std::size_t bytes = 0;
  CHECK(cudaGetSymbolAddress(&address, coefficients));
  CHECK(cudaGetSymbolSize(&bytes, coefficients));
  REQUIRE(bytes == sizeof c);
  CHECK(cudaMemset(address, 0, bytes));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return passed();
}
