// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/misc/fail/miscfail5/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  int* a;
  cudaMalloc(&a, 4 * sizeof(int));
  cudaMemset(a, 0, 4 * sizeof(int));
  constant<<<1, 4>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
