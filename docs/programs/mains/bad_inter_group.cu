// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/warpsync/bad_inter_group/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  int* a;
  cudaMalloc(&a, 129 * 128 * sizeof(int));
  cudaMemset(a, 0, 129 * 128 * sizeof(int));
  foo<<<128, 128>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
