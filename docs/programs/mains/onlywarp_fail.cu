// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/warpsync/onlywarp_fail/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  int* a;
  cudaMalloc(&a, sizeof(int));
  cudaMemset(a, 0, sizeof(int));
  onlywarp_fail<<<1, 32>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
