// SPDX-License-Identifier: MIT
// Dynamic shared memory, also in a template, and more of it than 48 KiB.
#include "verify.h"

__global__ void reverse(int* x, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[n - 1 - threadIdx.x];
}

template <typename T>
__global__ void rotate(T* x, int n) {
  extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
  T* const s = reinterpret_cast<T*>(bytes);
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[(threadIdx.x + 1) % n];
}

int main() {
  const int n = 200;
  int h[n], *x;
  for (int i = 0; i < n; ++i) h[i] = i;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, n, n * sizeof(int)>>>(x, n);
  rotate<int><<<1, n, n * sizeof(int)>>>(x, n);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) REQUIRE(h[i] == n - 1 - (i + 1) % n);
  reverse<<<1, n, 64 * 1024>>>(x, n);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  reverse<<<1, n, 64 * 1024>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return passed();
}
