// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/warpsync/broken_shuffle/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  int* a;
  cudaMalloc(&a, 1024 * sizeof(int));
  cudaMemset(a, 0, 1024 * sizeof(int));
  shuffle<<<1, 1024>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
