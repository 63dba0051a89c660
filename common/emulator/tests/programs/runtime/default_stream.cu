// SPDX-License-Identifier: MIT
// The legacy default stream waits for blocking streams, and they for it.
#include "verify.h"

__global__ void add(int* x, int y) { *x = *x * 10 + y; }

int main() {
  int* x;
  CHECK(cudaMalloc(&x, sizeof *x));
  CHECK(cudaMemset(x, 0, sizeof *x));
  cudaStream_t a, b;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  add<<<1, 1, 0, a>>>(x, 1);
  add<<<1, 1>>>(x, 2);
  add<<<1, 1, 0, b>>>(x, 3);
  add<<<1, 1>>>(x, 4);
  add<<<1, 1, 0, a>>>(x, 5);
  CHECK(cudaStreamSynchronize(0));
  int h = 0;
  CHECK(cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost));
  REQUIRE(h == 12345);
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaFree(x));
  return passed();
}
