// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/memcpy/fail_arrayofstruct/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  pair_t* pairs;
  cudaMalloc(&pairs, 43 * sizeof(pair_t));
  k<<<1, 2>>>(pairs);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
