// SPDX-License-Identifier: MIT
// A kernel that a test steps through with gdb, over a barrier. The lines have fixed numbers.
#include "verify.h"

__global__ void reverse(int* values) {
  __shared__ int tile[64];
  const int i = threadIdx.x;
  tile[i] = values[i];
  __syncthreads();
  values[i] = tile[63 - i];
}

int main() {
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = 100 + i;
  int* values;
  CHECK(cudaMalloc(&values, sizeof host));
  CHECK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  reverse<<<1, 64>>>(values);
  CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) REQUIRE(host[i] == 163 - i);
  CHECK(cudaFree(values));
  return passed();
}
