// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/cooperative_groups/fail/race/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  int* a;
  cudaMalloc(&a, 65 * sizeof(int));
  cudaMemset(a, 0, 65 * sizeof(int));
  race<<<2, 32>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
