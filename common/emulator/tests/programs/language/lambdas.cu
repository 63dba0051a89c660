// SPDX-License-Identifier: MIT
// Lambdas as arguments of kernels.
#include "verify.h"

template <class F>
__global__ void for_each_index(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <class F>
void parallel_for(int n, F f) {
  for_each_index<<<4, 64>>>(n, f);
}

int main() {
  int* x;
  const int n = 1000;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  const int offset = 7;
  parallel_for(n, [=] __device__(int i) { x[i] = i + offset; });
  int h[n];
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) REQUIRE(h[i] == i + 7);
  CHECK(cudaFree(x));
  return passed();
}
