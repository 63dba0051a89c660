// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/misc/fail/miscfail4/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  int* a;
  cudaMalloc(&a, 1025 * sizeof(int));
  cudaMemset(a, 0, 1025 * sizeof(int));
  inline_test<<<1, 1024>>>(a, 1);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
